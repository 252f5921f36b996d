//! Makes text from elsewhere safe to show to the operator, on a terminal or in a client.

/// Replaces every character that could move the cursor, change colours, hide
/// or reorder text by a visible `\u{…}`.
pub fn escape(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_treacherous(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Control characters (C0, DEL, C1), bidirectional controls, and characters
/// without width.
pub fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        assert_eq!(escape("a\u{1b}[2Kb"), "a\\u{1b}[2Kb");
        assert_eq!(escape("x\u{202e}y\u{9b}\u{7f}\n"), "x\\u{202e}y\\u{9b}\\u{7f}\\u{a}");
        assert_eq!(escape("grüße 文字"), "grüße 文字");
    }
}
