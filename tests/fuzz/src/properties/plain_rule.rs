//! The language of permission rules once more, as slow and plain as it can be written.

/// A rule that is well formed.
#[derive(Debug)]
pub(crate) struct PlainRule<'a> {
    pub(crate) tool: Option<&'a str>,
    /// `tool.bash.cmd:NAME`.
    pub(crate) command: Option<&'a str>,
    glob: &'a str,
}

/// Tools whose keys are no paths.
const KEYED: [&str; 7] = ["bash", "fetch_url", "alert", "call_peer", "spawn_agent", "mcp", "skill"];

#[derive(Debug)]
enum Piece {
    One(char),
    /// `?`
    Any,
    Class(bool, Vec<(char, char)>),
    /// `*`
    Star,
    /// `**`
    Deep,
    /// `**/` at the start of a name
    Folders,
}

impl<'a> PlainRule<'a> {
    /// Nothing for a text that must be refused.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        if text.trim().is_empty() {
            return None;
        }
        let command = text.strip_prefix("tool.bash.cmd:").map(str::trim);
        let (tool, glob) = match text.split_once(':') {
            Some((_, name)) if command.is_some() => (Some("bash"), name),
            Some(("" | "*", glob)) => (None, glob),
            Some((tool, glob)) => (Some(tool.strip_prefix("tool.").unwrap_or(tool)), glob),
            None if text.starts_with("tool.") => (text.strip_prefix("tool."), "*"),
            None => (None, text),
        };
        (!glob.trim().is_empty() && command != Some("") && pieces(glob).is_some()).then_some(Self {
            tool,
            command,
            glob,
        })
    }

    /// Whether the glob stands for one text only, or is that very text.
    pub(crate) fn is_exactly(&self, key: &str) -> bool {
        literal(self.glob).is_some() || self.glob == key
    }

    /// Whether the glob names the key, itself or below the project where keys of the tool are paths.
    pub(crate) fn names(&self, tool: &str, key: &str, project: &str, deny: bool) -> bool {
        let keyed = |tool: &&str| KEYED.contains(tool);
        let relative = !self.glob.starts_with(['/', '~', '*', '[', '?']);
        let relative = relative && !self.tool.as_ref().is_some_and(keyed) && !keyed(&tool);
        let folder = format!("{}/", project.trim_end_matches('/'));
        let below = self.glob.strip_prefix("./").unwrap_or(self.glob);
        fits(self.glob, key, deny) || relative && key.strip_prefix(&folder).is_some_and(|rest| fits(below, rest, deny))
    }
}

/// A text as a glob for itself.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for char in text.chars() {
        if "*?[\\".contains(char) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

/// What a glob without wildcards says.
fn literal(glob: &str) -> Option<String> {
    pieces(glob)?
        .iter()
        .map(|piece| match piece {
            Piece::One(char) => Some(*char),
            _ => None,
        })
        .collect()
}

fn fits(glob: &str, key: &str, deny: bool) -> bool {
    if let Some(text) = literal(glob) {
        return text == key;
    }
    // A literal with one star behind it is a test of the beginning.
    if let Some(prefix) = glob.strip_suffix('*')
        && !prefix.contains(['*', '?', '[', '\\'])
    {
        return key.starts_with(prefix);
    }
    let key: Vec<char> = key.chars().collect();
    glob.chars().eq(key.iter().copied()) || pieces(glob).is_some_and(|pieces| matches(&pieces, &key, deny))
}

/// Which ends of the key each rest of the glob fits, from the last piece to the first.
fn matches(pieces: &[Piece], key: &[char], deny: bool) -> bool {
    let mut fits = vec![false; key.len() + 1];
    fits[key.len()] = true;
    for piece in pieces.iter().rev() {
        let rest = fits;
        fits = vec![false; key.len() + 1];
        for at in (0..=key.len()).rev() {
            let one = |takes: bool| takes && rest[at + 1];
            fits[at] = match (piece, key.get(at)) {
                (Piece::One(char), Some(found)) => one(char == found),
                (Piece::Any, Some(found)) => one(*found != '/'),
                (Piece::Class(negated, ranges), Some(found)) => {
                    let within = ranges.iter().any(|(low, high)| (low..=high).contains(&found)) != *negated;
                    one(within && (deny || *found != '/'))
                }
                (Piece::One(_) | Piece::Any | Piece::Class(..), None) => false,
                (Piece::Star, found) => rest[at] || found.is_some_and(|found| deny || *found != '/') && fits[at + 1],
                (Piece::Deep, found) => rest[at] || found.is_some() && fits[at + 1],
                (Piece::Folders, _) => rest[at] || (at..key.len()).any(|end| key[end] == '/' && rest[end + 1]),
            };
        }
    }
    fits[0]
}

fn pieces(glob: &str) -> Option<Vec<Piece>> {
    let chars: Vec<char> = glob.chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut starts_name = true;
    while at < chars.len() {
        let begun = starts_name;
        starts_name = chars[at] == '/';
        match &chars[at..] {
            ['*', '*', '/', ..] if begun => {
                pieces.push(Piece::Folders);
                at += 3;
                starts_name = true;
            }
            ['*', '*', ..] => {
                pieces.push(Piece::Deep);
                at += 2;
            }
            ['*', ..] => {
                pieces.push(Piece::Star);
                at += 1;
            }
            ['?', ..] => {
                pieces.push(Piece::Any);
                at += 1;
            }
            ['[', ..] => {
                let (piece, end) = class(&chars, at + 1)?;
                pieces.push(piece);
                at = end;
            }
            ['\\', char, ..] => {
                pieces.push(Piece::One(*char));
                at += 2;
            }
            ['\\'] => return None,
            [char, ..] => {
                pieces.push(Piece::One(*char));
                at += 1;
            }
            [] => {}
        }
    }
    Some(pieces)
}

fn class(chars: &[char], mut at: usize) -> Option<(Piece, usize)> {
    let single = |at: usize| match chars.get(at)? {
        '\\' => Some((*chars.get(at + 1)?, at + 2)),
        '-' | ']' => None,
        char => Some((*char, at + 1)),
    };
    let negated = chars.get(at) == Some(&'^');
    at += usize::from(negated);
    let mut ranges = Vec::new();
    while ranges.is_empty() || chars.get(at) != Some(&']') {
        let (low, next) = single(at)?;
        let (high, next) = if chars.get(next) == Some(&'-') {
            single(next + 1)?
        } else {
            (low, next)
        };
        if low > high {
            return None;
        }
        ranges.push((low, high));
        at = next;
    }
    Some((Piece::Class(negated, ranges), at + 1))
}
