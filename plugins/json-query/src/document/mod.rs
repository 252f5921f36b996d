//! What lives here: JSON text to values, strictly as RFC 8259 has it, and where it goes wrong.
//! What may call it: the tool for its input, the function `fromjson`.
//! What it must not touch: files and the call; it sees a text and gives a value.

mod parser;
mod place;
mod string;

use std::rc::Rc;

pub(crate) use place::Place;

use crate::value::{Text, Val};

/// Why a text is not one JSON document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Offset in bytes from the start of the text.
    pub(crate) offset: usize,
    /// What is wrong there.
    pub(crate) message: String,
}

/// The one value that a text holds. Its strings are parts of the text's buffer.
pub(crate) fn parse(text: &Text) -> Result<Val, Problem> {
    let (buffer, range) = text.source();
    parser::Parser::new(buffer, range).document()
}

/// A whole document, whose buffer the value keeps.
pub(crate) fn parse_document(document: String) -> Result<Val, (Problem, Place)> {
    let buffer = Rc::new(document);
    parser::Parser::new(&buffer, 0..buffer.len())
        .document()
        .map_err(|problem| {
            let place = Place::of(buffer.as_bytes(), problem.offset);
            (problem, place)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::write;

    fn round(text: &str) -> String {
        let value = parse(&Text::from(text)).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
        let mut json = String::new();
        write(&value, &mut json).unwrap();
        json
    }

    #[test]
    fn documents_come_back_as_they_were_written() {
        let cases = [
            "null",
            "-0",
            "12345678901234567890",
            "123456789012345678901234567890",
            "1.10",
            "1E-2",
            r#"{"b":[1,{"a":null}],"a":"x\ny"}"#,
            r#"["","é😀","\"\\\b\f\n\r\t"]"#,
            "[]",
            "{}",
        ];
        for text in cases {
            assert_eq!(round(text), text);
            let spaced = format!(" \t\r\n{text}\n ");
            assert_eq!(round(&spaced), text);
        }
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(round(r#""\u0041\/\ud83d\ude00""#), r#""A/😀""#);
        // A half of a pair is no character.
        assert_eq!(round(r#""\ud83dx\ude00""#), "\"\u{fffd}x\u{fffd}\"");
    }

    #[test]
    fn long_arrays_and_double_keys() {
        let long = format!("[{}0]", "0,".repeat(100_000));
        assert_eq!(round(&long), long);
        assert_eq!(round(r#"{"a":1,"b":2,"a":3}"#), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn what_is_not_json_is_refused_at_its_place() {
        let cases = [
            ("", 0, "end"),
            ("not json", 0, "`not`"),
            ("{} {}", 3, "after the document"),
            ("[1,]", 3, "a value"),
            ("[1 2]", 3, "`,` or `]`"),
            ("{\"a\" 1}", 5, "`:`"),
            ("{a:1}", 1, "a key in double quotes"),
            ("{\"a\":1,}", 7, "a key in double quotes"),
            ("01", 1, "after the document"),
            ("1.", 2, "digit"),
            ("-", 1, "digit"),
            ("1e+", 3, "digit"),
            ("NaN", 0, "NaN"),
            ("[Infinity]", 1, "Infinity"),
            ("-Infinity", 1, "Infinity"),
            ("\u{feff}{}", 0, "byte order mark"),
            ("\"a\nb\"", 2, "U+000A"),
            ("\"abc", 4, "end"),
            (r#""\x""#, 1, r"`\x`"),
            (r#""\u12g4""#, 1, "hexadecimal"),
            ("'a'", 0, "double quotes"),
            ("tru", 0, "`tru`"),
            ("[", 1, "end"),
        ];
        for (text, offset, part) in cases {
            let problem = parse(&Text::from(text)).expect_err(text);
            assert_eq!(problem.offset, offset, "{text}: {}", problem.message);
            assert!(problem.message.contains(part), "{text}: {}", problem.message);
        }
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(round(&nested(512)), nested(512));
        let problem = parse(&Text::from(nested(513))).unwrap_err();
        assert!(problem.message.contains("512"), "{}", problem.message);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let (_, place) = parse_document("{\n  \"é\": x}".to_owned()).unwrap_err();
        assert_eq!((place.line, place.column), (2, 8));
    }
}
