//! JSON strings that are safe on a terminal too.

use std::fmt::{self, Write};

use crate::mcp::visible::is_treacherous;

/// Writes a JSON string in which every character that could end a line, steer a terminal or
/// reorder text stands as `\u…`.
pub(super) fn string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        // Printable ASCII is skipped by bytes: most text is nothing else.
        if (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\' {
            at += 1;
            continue;
        }
        let Some(character) = text[at..].chars().next() else {
            break;
        };
        let next = at + character.len_utf8();
        if byte < 0x80 || is_treacherous(character) {
            out.write_str(&text[from..at])?;
            escape(out, character)?;
            from = next;
        }
        at = next;
    }
    out.write_str(&text[from..])?;
    out.write_char('"')
}

fn escape(out: &mut impl Write, character: char) -> fmt::Result {
    match character {
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        '\n' => out.write_str("\\n"),
        '\t' => out.write_str("\\t"),
        other => {
            for unit in other.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            Ok(())
        }
    }
}

/// The longest start of the text that has at most `most` bytes and whole characters.
pub(super) fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn another_reader_sees_the_same_text(text in any::<String>()) {
            let mut out = String::new();
            string(&mut out, &text).unwrap();
            prop_assert!(!out.chars().any(is_treacherous));
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }

    #[test]
    fn what_could_steer_is_escaped() {
        let mut out = String::new();
        string(&mut out, "a\"b\\\n\u{1b}[2J\u{9b}\u{202e}\u{e0041}ä").unwrap();
        assert_eq!(out, r#""a\"b\\\n\u001b[2J\u009b\u202e\udb40\udc41ä""#);
    }
}
