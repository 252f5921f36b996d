//! The glob dialect of scopes, and one scope pattern: an exact path, a subtree (`X/...`), or a glob.

use regex::{Regex, RegexBuilder};

use super::braces::{Piece, ways};

/// Largest compiled form of one pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// A parsed pattern over absolute, normalised paths.
#[derive(Debug, Clone)]
pub(super) enum PathPattern {
    /// This path alone.
    Exact(String),
    /// This path and everything below it.
    Subtree(String),
    /// A glob; `*` and `?` stay within one name, `**` crosses `/`.
    Glob {
        matcher: Regex,
        /// The directory part before the first wildcard.
        prefix: String,
        /// Bytes before the first wildcard: the more, the more specific.
        literal: usize,
    },
}

impl PathPattern {
    /// Parses an absolute, `~`-expanded pattern without trailing separator.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (core, below) = match text.strip_suffix("/...") {
            Some(core) => (core, "(?:/.*)?"),
            None => (text, ""),
        };
        match core.find(WILD) {
            None if !below.is_empty() => Ok(Self::Subtree(if core.is_empty() { "/" } else { core }.to_owned())),
            None => Ok(Self::Exact(text.to_owned())),
            Some(literal) => Ok(Self::Glob {
                matcher: compile(&format!("^(?:{}){below}$", translate(core)?))?,
                prefix: match text[..literal].rfind('/') {
                    Some(0) | None => "/".to_owned(),
                    Some(end) => text[..end].to_owned(),
                },
                literal,
            }),
        }
    }

    /// The directory below which everything lies that this pattern can match,
    /// or the path itself for an exact pattern.
    pub(super) fn top(&self) -> &str {
        match self {
            Self::Exact(path) | Self::Subtree(path) => path,
            Self::Glob { prefix, .. } => prefix,
        }
    }

    /// Length of the literal part: among several matches the longest wins.
    pub(super) fn specificity(&self) -> usize {
        match self {
            Self::Exact(path) | Self::Subtree(path) => path.len(),
            Self::Glob { literal, .. } => *literal,
        }
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        match self {
            Self::Exact(exact) => path == exact,
            Self::Subtree(top) => super::lexical::below(top, path).is_some(),
            Self::Glob { matcher, .. } => matcher.is_match(path),
        }
    }

    /// The same pattern with its literal top in another spelling.
    pub(super) fn with_top(text: &str, from: &str, to: &str) -> Option<String> {
        super::lexical::below(from, text).map(|rest| {
            if rest.is_empty() {
                to.to_owned()
            } else if to == "/" {
                format!("/{rest}")
            } else {
                format!("{to}/{rest}")
            }
        })
    }
}

/// The characters that make a path a glob.
pub(super) const WILD: [char; 5] = ['*', '?', '[', '{', '\\'];

pub(super) fn compile(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .dot_matches_new_line(true)
        .size_limit(MAX_COMPILED)
        .build()
        .map_err(|error| error.to_string())
}

/// The glob as a regular expression without anchors. Names may hold any
/// character, line breaks included; a character is a character, not a byte.
/// `*` and `?` stop at `/`; `**/` is any number of directories, `/**` all that
/// lies below, any other `**` crosses `/`; `{a,b}` stands for a pattern with a
/// and one with b; `[!a]` and `[^a]` negate and never match `/`, `\` escapes;
/// case counts.
pub(super) fn translate(glob: &str) -> Result<String, String> {
    let ways: Vec<String> = ways(glob)?.iter().map(|way| one_way(way)).collect();
    Ok(ways.join("|"))
}

fn one_way(pieces: &[Piece]) -> String {
    let mut out = String::with_capacity(pieces.len() * 2);
    let mut pieces = pieces.iter().peekable();
    let mut name_start = true;
    while let Some(piece) = pieces.next() {
        let at_name_start = std::mem::replace(&mut name_start, *piece == Piece::Char('/'));
        match piece {
            Piece::Stars if at_name_start && pieces.next_if_eq(&&Piece::Char('/')).is_some() => {
                out.push_str("(?:[^/]+/)*");
                name_start = true;
            }
            Piece::Stars if at_name_start && pieces.peek().is_none() => out.push_str(".+"),
            Piece::Stars => out.push_str(".*"),
            Piece::Star => out.push_str("[^/]*"),
            Piece::Char('?') => out.push_str("[^/]"),
            Piece::Class(class) => out.push_str(class),
            Piece::Char(literal) | Piece::Escaped(literal) => {
                out.push_str(&regex::escape(literal.encode_utf8(&mut [0; 4])));
            }
        }
    }
    out
}

/// A `[…]` after its bracket.
pub(super) fn class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    const OPEN: &str = "a [ is not closed; write \\[ for the character";
    let negated = chars.next_if(|char| matches!(char, '!' | '^')).is_some();
    let mut ranges = String::new();
    let mut first = true;
    loop {
        let low = match chars.next().ok_or(OPEN)? {
            ']' if !first => break,
            '\\' => chars.next().ok_or(OPEN)?,
            char => char,
        };
        first = false;
        let mut high = low;
        if chars.peek() == Some(&'-') {
            let mut ahead = chars.clone();
            ahead.next();
            // A dash before the bracket stands for itself.
            if ahead.peek().is_some_and(|char| *char != ']') {
                chars.next();
                high = match chars.next().ok_or(OPEN)? {
                    '\\' => chars.next().ok_or(OPEN)?,
                    char => char,
                };
            }
        }
        if low > high {
            return Err(format!("the range {low}-{high} in a [class] is empty"));
        }
        ranges.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(low), u32::from(high)));
    }
    Ok(if negated {
        format!("[^/{ranges}]")
    } else {
        format!("[{ranges}&&[^/]]")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_not_bytes_and_never_across_a_separator() {
        let cases = [
            ("/a?c", "/aéc", true),
            ("/[!b]", "/é", true),
            ("/a[!b]c", "/a/c", false),
            ("/a[.-0]c", "/a/c", false),
            ("/a*", "/a\nb", true),
            ("/a*", "/a/b", false),
            ("/**/x", "/x", true),
            ("/**/x", "/a/b/x", true),
            ("/a/**", "/a", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**/b", "/a/b", true),
            ("/*/b/...", "/a/b", true),
            ("/*/b/...", "/a/b/c/d", true),
            ("/*/b/...", "/a/bc", false),
            ("/{x,y/z}.t", "/y/z.t", true),
            // What an alternative means does not depend on its place among the others.
            ("/p/{x,**/y}", "/p/y", true),
            ("/p/{x,**/y}", "/p/a/b/y", true),
            ("/p/{x/,}**/y", "/p/y", true),
            ("/p/{x/,}**/y", "/p/x/y", true),
            ("/p/{x,y/}**/z", "/p/xz", false),
            ("/p/{**,x}/y", "/p/y", true),
            ("/p/{**,x}/y", "/p/a/b/y", true),
            ("/p/{a,b{c,**/d}}", "/p/bx/d", true),
            ("/p/{*,a}*", "/p/x/y", false),
            ("/p/{,}", "/p/", true),
            ("/p/a,b}", "/p/a,b}", true),
            ("/[]]", "/]", true),
            ("/[a-]", "/-", true),
            ("/\\*", "/*", true),
            ("/\\*", "/x", false),
        ];
        for (glob, path, expected) in cases {
            let pattern = PathPattern::parse(glob).unwrap();
            assert_eq!(pattern.matches(path), expected, "{glob} {path}");
        }
        let many = "/p".to_owned() + &"{a,b}".repeat(20);
        for bad in ["/[", "/[a", "/a\\", "/{a", "/{a,{b}", "/[z-a]", &many] {
            assert!(PathPattern::parse(bad).is_err(), "{bad}");
        }
    }
}
