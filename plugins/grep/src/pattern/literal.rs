//! Text that every match must hold, to find lines that may match without running the pattern.

use regex_syntax::hir::{Hir, HirKind};

use super::pair::Pair;

/// The shortest literal, in bytes, that is rare enough in text to look for.
const SHORTEST: usize = 3;

/// A searcher for a literal inside the pattern. None if there is no better one than that which the
/// pattern begins with: the regular expression engine looks for that by itself, and goes on from
/// there with less effort.
pub(crate) fn inner(hir: &Hir) -> Option<Pair> {
    let literal = longest(hir)?;
    let better = literal.len() >= SHORTEST && literal.len() > first(hir).len();
    // No line holds a terminator, so this pattern matches nowhere.
    if better && !literal.contains(&b'\n') {
        Pair::new(literal)
    } else {
        None
    }
}

/// The longest literal that is part of every match.
fn longest(hir: &Hir) -> Option<&[u8]> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(&literal.0),
        HirKind::Capture(capture) => longest(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => longest(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(longest).max_by_key(|literal| literal.len()),
        _ => None,
    }
}

/// The literal that every match begins with; empty if there is none.
fn first(hir: &Hir) -> &[u8] {
    match hir.kind() {
        HirKind::Literal(literal) => &literal.0,
        HirKind::Capture(capture) => first(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => first(&repetition.sub),
        // An assertion takes no text.
        HirKind::Concat(parts) => parts
            .iter()
            .find(|part| !matches!(part.kind(), HirKind::Look(_)))
            .map_or(b"", first),
        _ => b"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Option<String> {
        let hir = regex_syntax::parse(pattern).unwrap();
        inner(&hir).map(|pair| String::from_utf8(pair.literal().to_vec()).unwrap())
    }

    #[test]
    fn a_literal_that_every_match_holds() {
        assert_eq!(of(r"fn \w+_async\b").as_deref(), Some("_async"));
        assert_eq!(of(r"\w+(?:needle)+").as_deref(), Some("needle"));
        assert_eq!(of(r"(?:a|b)(c(def)?ghij|x)?(klmn)").as_deref(), Some("klmn"));
        assert_eq!(of(r".*needle.*hay").as_deref(), Some("needle"));
    }

    #[test]
    fn none_that_a_match_can_do_without_or_that_it_begins_with() {
        for pattern in [
            "needle",
            r"\bneedle\w+hay",
            "(?:needle|hay)",
            "(?:needle)?",
            "x(?:needle)*",
            r"\w+ab",
            "(?i)needle",
            r"\w+nee\ndle",
        ] {
            assert_eq!(of(pattern), None, "{pattern}");
        }
    }
}
