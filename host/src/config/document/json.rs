//! JSON: parsed strictly, then passed over once more for the lines.

use std::collections::BTreeMap;

use super::{Document, LineCounter, SyntaxError};
use crate::config::key_path::KeyPath;

pub(super) fn parse(text: &str) -> Result<Document, Vec<SyntaxError>> {
    let fail = |line, reason: String| Err(vec![SyntaxError { line, reason }]);
    if text.trim().is_empty() {
        return fail(None, "the file is empty; the least it may hold is {}".to_owned());
    }
    let value = match crate::json::parse(text) {
        Ok(value) => value,
        Err(error) => return fail(Some(error.line()).filter(|line| *line > 0), error.to_string()),
    };
    if !value.is_object() {
        return fail(Some(1), "the configuration must be a JSON object".to_owned());
    }
    let mut scan = Scan {
        bytes: text.as_bytes(),
        offset: 0,
        counter: LineCounter::new(text),
        lines: BTreeMap::new(),
    };
    scan.value(&KeyPath::default());
    Ok(Document {
        value,
        lines: scan.lines,
    })
}

/// Walks over text that is known to be valid JSON of bounded depth.
struct Scan<'a> {
    bytes: &'a [u8],
    offset: usize,
    counter: LineCounter<'a>,
    lines: BTreeMap<KeyPath, usize>,
}

impl Scan<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.offset).is_some_and(u8::is_ascii_whitespace) {
            self.offset += 1;
        }
        self.bytes.get(self.offset).copied()
    }

    fn note(&mut self, path: &KeyPath) {
        let line = self.counter.line(self.offset);
        self.lines.insert(path.clone(), line);
    }

    fn value(&mut self, path: &KeyPath) {
        match self.peek() {
            Some(b'{') => self.object(path),
            Some(b'[') => self.list(path),
            Some(b'"') => {
                self.string();
            }
            _ => {
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
                while self.bytes.get(self.offset).is_some_and(|byte| !ends(byte)) {
                    self.offset += 1;
                }
            }
        }
    }

    fn object(&mut self, path: &KeyPath) {
        self.offset += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    let line = self.counter.line(self.offset);
                    let member = path.key(&self.string());
                    self.lines.insert(member.clone(), line);
                    if self.peek() == Some(b':') {
                        self.offset += 1;
                    }
                    self.value(&member);
                }
                b'}' => {
                    self.offset += 1;
                    return;
                }
                _ => self.offset += 1,
            }
        }
    }

    fn list(&mut self, path: &KeyPath) {
        self.offset += 1;
        let mut index = 0;
        while let Some(byte) = self.peek() {
            match byte {
                b']' => {
                    self.offset += 1;
                    return;
                }
                b',' => self.offset += 1,
                _ => {
                    let element = path.index(index);
                    self.note(&element);
                    self.value(&element);
                    index += 1;
                }
            }
        }
    }

    /// Passes over a string and returns what it says.
    fn string(&mut self) -> String {
        let start = self.offset;
        self.offset += 1;
        while let Some(byte) = self.bytes.get(self.offset) {
            self.offset += match byte {
                b'\\' => 2,
                b'"' => {
                    self.offset += 1;
                    break;
                }
                _ => 1,
            };
        }
        let written = self.bytes.get(start..self.offset).unwrap_or_default();
        serde_json::from_slice(written).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_lines() {
        let text = "{\n \"a\": {\"b\\u0063\": 1,\n  \"d\": [1,\n [2, {\"e\":\n true}]]},\n \"f\": \"\\\"}\"\n}";
        let document = parse(text).unwrap();
        let line = |path: KeyPath| document.line(&path);
        assert_eq!(line(KeyPath::of("a")), Some(2));
        assert_eq!(line(KeyPath::of("a.bc")), Some(2));
        assert_eq!(line(KeyPath::of("a.d")), Some(3));
        assert_eq!(line(KeyPath::of("a.d").index(1)), Some(4));
        assert_eq!(line(KeyPath::of("a.d").index(1).index(1).key("e")), Some(4));
        assert_eq!(line(KeyPath::of("f")), Some(6));
        assert_eq!(line(KeyPath::of("f").index(7)), Some(6));
        assert_eq!(line(KeyPath::of("none")), None);
    }
}
