//! The glob dialect of scopes, and one scope pattern: an exact path, a subtree (`X/...`), or a glob.

use regex::{Regex, RegexBuilder};

use super::braces::{Piece, ways};
use super::fold::{Case, below, fold_char, folded};

/// Largest compiled form of one pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// A path as written, and as it is compared where directories fold.
#[derive(Debug, Clone)]
pub(super) struct Literal {
    pub(super) path: String,
    folded: String,
}

impl Literal {
    pub(super) fn new(path: String) -> Self {
        Self {
            folded: folded(&path).into_owned(),
            path,
        }
    }

    pub(super) fn spelling(&self, case: Case) -> &str {
        match case {
            Case::Exact => &self.path,
            Case::Folded => &self.folded,
        }
    }

    /// Whether this is the path or above it.
    pub(super) fn holds(&self, path: &str, case: Case) -> bool {
        below(self.spelling(case), path, case)
    }

    fn is(&self, path: &str, case: Case) -> bool {
        self.holds(path, case) && path.len() == self.spelling(case).len()
    }
}

/// A parsed pattern over absolute, normalised paths.
#[derive(Debug, Clone)]
pub(super) enum PathPattern {
    /// This path alone.
    Exact(Literal),
    /// This path and everything below it.
    Subtree(Literal),
    /// A glob; `*` and `?` stay within one name, `**` crosses `/`.
    Glob {
        matcher: Regex,
        /// Matches folded spellings, and everything that `matcher` does.
        folded: Regex,
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
            None if !below.is_empty() => {
                let top = if core.is_empty() { "/" } else { core };
                Ok(Self::Subtree(Literal::new(top.to_owned())))
            }
            None => Ok(Self::Exact(Literal::new(text.to_owned()))),
            Some(literal) => Ok(Self::Glob {
                matcher: compile(&format!("^(?:{}){below}$", translate(core, Case::Exact)?))?,
                folded: compile(&format!("(?i)^(?:{}){below}$", translate(core, Case::Folded)?))?,
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
            Self::Exact(literal) | Self::Subtree(literal) => &literal.path,
            Self::Glob { prefix, .. } => prefix,
        }
    }

    /// Length of the literal part: among several matches the longest wins.
    pub(super) fn specificity(&self) -> usize {
        match self {
            Self::Exact(literal) | Self::Subtree(literal) => literal.path.len(),
            Self::Glob { literal, .. } => *literal,
        }
    }

    /// Whether the pattern speaks of a path, which is folded if `case` says so.
    pub(super) fn matches(&self, path: &str, case: Case) -> bool {
        match self {
            Self::Exact(exact) => exact.is(path, case),
            Self::Subtree(top) => top.holds(path, case),
            Self::Glob { matcher, folded, .. } => match case {
                Case::Exact => matcher.is_match(path),
                Case::Folded => folded.is_match(path),
            },
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
/// and one with b; `[!a]` and `[^a]` negate and never match `/`, `\` escapes.
/// Folded, literals are in their folded form, and what folding changes the
/// length of matches any part of a name.
pub(super) fn translate(glob: &str, case: Case) -> Result<String, String> {
    let ways: Vec<String> = ways(glob)?.iter().map(|way| one_way(way, case)).collect();
    Ok(ways.join("|"))
}

fn one_way(pieces: &[Piece], case: Case) -> String {
    let mut out = String::with_capacity(pieces.len() * 2);
    let mut pieces = pieces.iter().peekable();
    let mut name_start = true;
    while let Some(piece) = pieces.next() {
        let at_name_start = std::mem::replace(&mut name_start, *piece == Piece::Char('/'));
        match (piece, case) {
            (Piece::Stars, _) if at_name_start && pieces.next_if_eq(&&Piece::Char('/')).is_some() => {
                out.push_str("(?:[^/]+/)*");
                name_start = true;
            }
            (Piece::Stars, _) if at_name_start && pieces.peek().is_none() => out.push_str(".+"),
            (Piece::Stars, _) => out.push_str(".*"),
            (Piece::Star, _) | (Piece::Char('?') | Piece::Class(_), Case::Folded) => out.push_str("[^/]*"),
            (Piece::Char('?'), Case::Exact) => out.push_str("[^/]"),
            (Piece::Class(class), Case::Exact) => out.push_str(class),
            (Piece::Char(char) | Piece::Escaped(char), _) => {
                let mut text = String::new();
                match case {
                    Case::Exact => text.push(*char),
                    Case::Folded => fold_char(*char, &mut text),
                }
                out.push_str(&regex::escape(&text));
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
            assert_eq!(pattern.matches(path, Case::Exact), expected, "{glob} {path}");
            // What is folded says yes at least as often.
            if expected {
                assert!(pattern.matches(&folded(path), Case::Folded), "{glob} {path}");
                assert!(!path.is_ascii() || pattern.matches(path, Case::Folded), "{glob} {path}");
            }
        }
        let many = "/p".to_owned() + &"{a,b}".repeat(20);
        for bad in ["/[", "/[a", "/a\\", "/{a", "/{a,{b}", "/[z-a]", &many] {
            assert!(PathPattern::parse(bad).is_err(), "{bad}");
        }
    }
}
