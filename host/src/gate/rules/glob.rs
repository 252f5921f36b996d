//! Globs over keys.

use regex::{Regex, RegexBuilder};

/// Which list a rule stands in: it decides how far `*` reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// `*` stops at `/`, so that an allow rule is never wider than it looks.
    Allow,
    /// `*` crosses `/`, so that a deny rule is never narrower than it looks.
    Deny,
}

/// A glob over keys: equal, a literal prefix and one final `*`, or a pattern.
#[derive(Debug, Clone)]
pub(super) struct KeyGlob {
    text: String,
    /// The only key that it matches, if it has no wildcard.
    literal: Option<String>,
    regex: Option<Regex>,
}

impl KeyGlob {
    pub(super) fn parse(text: &str, side: Side) -> Result<Self, String> {
        let translated = translate(text, side)?;
        let is_prefix = text.strip_suffix('*').is_some_and(|prefix| !prefix.contains(WILD));
        let literal = literal_text(text);
        let regex = if is_prefix || literal.is_some() {
            None
        } else {
            let regex = RegexBuilder::new(&format!("^(?:{translated})$"))
                .dot_matches_new_line(true)
                .size_limit(1 << 20)
                .build();
            Some(regex.map_err(|error| error.to_string())?)
        };
        Ok(Self {
            text: text.to_owned(),
            literal,
            regex,
        })
    }

    pub(super) fn matches(&self, key: &str) -> bool {
        if let Some(literal) = &self.literal {
            return literal == key;
        }
        match (&self.regex, self.text.strip_suffix('*')) {
            _ if self.text == key => true,
            (Some(regex), _) => regex.is_match(key),
            (None, Some(prefix)) => key.starts_with(prefix),
            (None, None) => false,
        }
    }
}

impl KeyGlob {
    /// The glob as written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it stands for this key and no other, or is spelled like it.
    pub(super) fn is_exactly(&self, key: &str) -> bool {
        self.literal.is_some() || self.text == key
    }
}

/// The text that a glob without wildcards stands for, its escapes resolved.
fn literal_text(glob: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = glob.chars();
    while let Some(char) = chars.next() {
        match char {
            '*' | '?' | '[' => return None,
            '\\' => text.push(chars.next()?),
            char => text.push(char),
        }
    }
    Some(text)
}

/// The characters that make a text a glob.
const WILD: [char; 4] = ['*', '?', '[', '\\'];

/// A text as a glob that matches only itself.
pub(in crate::gate) fn escape(path: &str) -> String {
    path.chars().fold(String::new(), |mut text, char| {
        if WILD.contains(&char) {
            text.push('\\');
        }
        text.push(char);
        text
    })
}

/// The glob as a regular expression: `?` is one character other than `/`,
/// `[a-z]` and `[^a-z]` one character of a class, which in an allow rule is
/// never `/` either, `\x` the character x, `**`
/// crosses `/` and so does `*` in a deny rule. There are no braces and no `[!…]`.
fn translate(glob: &str, side: Side) -> Result<String, String> {
    let mut out = String::new();
    let mut chars = glob.chars().peekable();
    let mut name_start = true;
    while let Some(char) = chars.next() {
        match char {
            '*' if chars.next_if_eq(&'*').is_some() => {
                if name_start && chars.next_if_eq(&'/').is_some() {
                    out.push_str("(?:.*/)?");
                    continue;
                }
                out.push_str(".*");
            }
            '*' if side == Side::Deny => out.push_str(".*"),
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '[' => {
                let class = class(&mut chars)?;
                out.push_str(&match side {
                    Side::Allow => format!("[{class}&&[^/]]"),
                    Side::Deny => class,
                });
            }
            '\\' => literal(&mut out, chars.next().ok_or("it ends in a backslash")?),
            char => literal(&mut out, char),
        }
        name_start = char == '/';
    }
    Ok(out)
}

fn literal(out: &mut String, char: char) {
    out.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
}

/// One `[…]` after its bracket.
fn class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    const BAD: &str = "its [class] is empty, half open or not closed; write \\[ for the character";
    let negated = chars.next_if_eq(&'^').is_some();
    let mut ranges = String::new();
    let single = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| match chars.next().ok_or(BAD)? {
        '\\' => chars.next().ok_or(BAD),
        '-' | ']' => Err(BAD),
        char => Ok(char),
    };
    loop {
        if !ranges.is_empty() && chars.next_if_eq(&']').is_some() {
            break;
        }
        let low = single(chars)?;
        let high = if chars.next_if_eq(&'-').is_some() {
            single(chars)?
        } else {
            low
        };
        if low > high {
            return Err(BAD.to_owned());
        }
        ranges.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(low), u32::from(high)));
    }
    Ok(if negated {
        format!("[^{ranges}]")
    } else {
        format!("[{ranges}]")
    })
}
