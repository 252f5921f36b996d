//! Text that every match must hold, to find lines that may match without running the pattern.

use regex_syntax::hir::{Hir, HirKind};

use super::pair::Pair;

/// The shortest literal, in bytes, that is rare enough in text to look for.
const SHORTEST: usize = 3;

/// A searcher for a literal that every match holds, if there is a useful one.
pub(crate) fn required(hir: &Hir) -> Option<Pair> {
    let literal = longest(hir)?;
    // No line holds a terminator, so a pattern that asks for one matches nowhere.
    if literal.len() < SHORTEST || literal.contains(&b'\n') {
        return None;
    }
    Pair::new(literal)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Option<String> {
        let hir = regex_syntax::parse(pattern).unwrap();
        required(&hir).map(|pair| String::from_utf8(pair.literal().to_vec()).unwrap())
    }

    #[test]
    fn the_longest_literal_that_every_match_holds() {
        assert_eq!(of("needle").as_deref(), Some("needle"));
        assert_eq!(of(r"fn \w+_async\b").as_deref(), Some("_async"));
        assert_eq!(of(r"\w+(?:needle)+").as_deref(), Some("needle"));
        assert_eq!(of(r"(?:a|b)(c(def)?ghij|x)?(klmn)").as_deref(), Some("klmn"));
        assert_eq!(of(r".*needle.*hay").as_deref(), Some("needle"));
    }

    #[test]
    fn none_that_a_match_can_do_without() {
        for pattern in [
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
