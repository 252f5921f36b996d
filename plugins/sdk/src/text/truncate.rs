//! Cutting text to an output limit.

use super::LineCounter;

/// The head of a text that fits its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truncated<'a> {
    /// What is kept.
    pub text: &'a str,
    /// Whether anything was dropped.
    pub truncated: bool,
    /// The size of the whole text in bytes.
    pub original_bytes: usize,
    /// The number of lines of the whole text.
    pub original_lines: u64,
}

/// Keeps the head of `text` within `max_bytes` bytes and `max_lines` lines; 0 means unlimited.
///
/// A cut by bytes falls on the end of a line if at least one whole line fits, otherwise on the
/// last character boundary, so nothing is ever half a character (FX-05).
pub fn truncate_text(text: &str, max_bytes: usize, max_lines: usize) -> Truncated<'_> {
    let by_bytes = if max_bytes == 0 {
        text
    } else {
        head_of_bytes(text, max_bytes)
    };
    let kept = if max_lines == 0 {
        by_bytes
    } else {
        head_of_lines(by_bytes, max_lines)
    };
    Truncated {
        text: kept,
        truncated: kept.len() < text.len(),
        original_bytes: text.len(),
        original_lines: LineCounter::count(text.as_bytes()),
    }
}

fn head_of_bytes(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let head = &text[..text.floor_char_boundary(max_bytes)];
    match memchr::memrchr(b'\n', head.as_bytes()) {
        Some(end_of_line) => &head[..=end_of_line],
        None => head,
    }
}

fn head_of_lines(text: &str, max_lines: usize) -> &str {
    match memchr::memchr_iter(b'\n', text.as_bytes()).nth(max_lines - 1) {
        Some(end_of_line) => &text[..=end_of_line],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_whole_lines_and_whole_characters() {
        let cases = [
            ("a\nb\nc\n", 0, 3, "a\nb\nc\n"),
            ("a\nb\nc\nd\n", 0, 3, "a\nb\nc\n"),
            ("héé", 2, 0, "h"),
            ("\n", 0, 1, "\n"),
            ("a\nb\nc\nd\n", 5, 3, "a\nb\n"),
            ("aaaaaaaa", 4, 10, "aaaa"),
            ("anything\n", 0, 0, "anything\n"),
        ];
        for (text, bytes, lines, kept) in cases {
            let result = truncate_text(text, bytes, lines);
            assert_eq!(result.text, kept, "{text:?} at {bytes}/{lines}");
            assert_eq!(result.truncated, kept.len() < text.len());
        }
    }

    #[test]
    fn the_original_size_is_that_of_the_whole_text() {
        let result = truncate_text(&"line\n".repeat(100), 200, 5).original_lines;
        assert_eq!(result, 100);
    }
}
