//! Writing JSON text piece by piece, and the length of what is written.

use serde_json::Value;

/// `text` as a JSON string, quotes included; nothing is escaped that need not be.
pub(super) fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

/// Bytes of [`quote`].
pub(super) fn quoted_len(text: &str) -> usize {
    2 + text.chars().map(escaped_len).sum::<usize>()
}

/// Bytes of a character inside a JSON string.
pub(super) fn escaped_len(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    }
}

/// An array of JSON texts.
pub(super) fn array(items: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(item.as_ref());
    }
    text.push(']');
    text
}

/// A JSON object under construction.
#[derive(Debug, Default)]
pub(super) struct Object {
    members: String,
}

impl Object {
    /// Adds a member whose value is JSON text.
    pub(super) fn json(&mut self, key: &str, value: impl AsRef<str>) -> &mut Self {
        if !self.members.is_empty() {
            self.members.push(',');
        }
        self.members.push_str(&quote(key));
        self.members.push(':');
        self.members.push_str(value.as_ref());
        self
    }

    /// Adds a string.
    pub(super) fn string(&mut self, key: &str, value: &str) -> &mut Self {
        self.json(key, quote(value))
    }

    /// Adds a number.
    pub(super) fn number(&mut self, key: &str, value: u64) -> &mut Self {
        self.json(key, value.to_string())
    }

    /// Adds a count.
    pub(super) fn count(&mut self, key: &str, value: usize) -> &mut Self {
        self.json(key, value.to_string())
    }

    /// Adds `true`, or nothing.
    pub(super) fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        if value { self.json(key, "true") } else { self }
    }

    /// Bytes of the finished text.
    pub(super) fn len(&self) -> usize {
        self.members.len() + 2
    }

    /// The text.
    pub(super) fn finish(&self) -> String {
        format!("{{{}}}", self.members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_text() {
        for c in (0..=0x2_ffff).filter_map(char::from_u32) {
            let text = c.to_string();
            assert_eq!(quoted_len(&text), quote(&text).len(), "{c:?}");
        }
        let mut object = Object::default();
        object.string("a", "\n").count("b", 2).flag("c", false);
        assert_eq!(object.finish(), r#"{"a":"\n","b":2}"#);
        assert_eq!(object.len(), object.finish().len());
        assert_eq!(array(["1", "2"]), "[1,2]");
    }
}
