//! The part of a long line that is shown.

use std::ops::Range;

use toolgate_plugin::text::floor_boundary;

/// The longest `text` of a match in bytes (FX-17); minified files have lines of megabytes.
const MAX_TEXT: usize = 1000;

/// A line as shown, and whether it is only a part.
pub(crate) fn clip(line: &[u8], found: Range<usize>) -> (String, bool) {
    if line.len() <= MAX_TEXT {
        let text = String::from_utf8_lossy(line);
        if text.len() <= MAX_TEXT {
            return (text.into_owned(), false);
        }
    }
    let text = String::from_utf8_lossy(around(line, &found, MAX_TEXT));
    if text.len() <= MAX_TEXT {
        return (text.into_owned(), true);
    }
    // Each byte that is not UTF-8 becomes three.
    (
        String::from_utf8_lossy(around(line, &found, MAX_TEXT / 3)).into_owned(),
        true,
    )
}

/// At most `size` bytes of `line` with the match in the middle, or the start of a match that is
/// longer. Does not split characters.
fn around<'a>(line: &'a [u8], found: &Range<usize>, size: usize) -> &'a [u8] {
    let margin = size.saturating_sub(found.len()) / 2;
    let latest = line.len().saturating_sub(size);
    let start = floor_boundary(line, found.start.saturating_sub(margin).min(latest));
    let end = floor_boundary(line, start.saturating_add(size));
    &line[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_line_is_whole() {
        assert_eq!(clip(b"caf\xe9 needle", 5..11), ("caf\u{fffd} needle".to_owned(), false));
        assert_eq!(clip(&[b'x'; MAX_TEXT], 0..1), ("x".repeat(MAX_TEXT), false));
    }

    #[test]
    fn a_long_line_is_clipped_around_the_match() {
        for position in [0, 1, 499, 500, 5000, 99_990, 100_000 - 6] {
            let mut line = "é".repeat(50_000).into_bytes();
            line[position..position + 6].copy_from_slice(b"needle");
            let (text, clipped) = clip(&line, position..position + 6);
            assert!(
                clipped && text.len() <= MAX_TEXT && text.contains("needle"),
                "at {position}"
            );
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_stay_within_the_limit() {
        let mut line = vec![0xff; 900];
        line.splice(450..456, *b"needle");
        let (text, clipped) = clip(&line, 450..456);
        assert!(clipped && text.len() <= MAX_TEXT && text.contains("needle"));
    }

    #[test]
    fn a_match_longer_than_the_limit_is_shown_from_its_start() {
        let line = [vec![b'a'; 10], vec![b'b'; 5000]].concat();
        assert_eq!(clip(&line, 10..5010).0, "b".repeat(MAX_TEXT));
    }
}
