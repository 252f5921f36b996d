//! Text of the caller in messages.

/// How many characters of it a message repeats.
const SHOWN_CHARACTERS: usize = 100;

/// What the caller wrote, in quotes, cut to a length that an error can carry.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(quoted("a\"b"), r#""a\"b""#);
        assert_eq!(quoted(&"é".repeat(100)), format!("\"{}\"", "é".repeat(100)));
        assert_eq!(quoted(&"é".repeat(101)), format!("\"{}\"…", "é".repeat(100)));
    }
}
