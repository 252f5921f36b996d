//! Reading one level of a JSON text: the members of an object or array stay text, so that numbers keep every digit
//! and nothing recurses.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The outermost level of a JSON text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Level<'a> {
    /// The members in their order, a repeated key repeatedly.
    Object(Vec<(String, &'a str)>),
    /// The elements.
    Array(Vec<&'a str>),
    /// The decoded text.
    String(String),
    /// A number, boolean or null as it is written.
    Plain(&'a str),
}

/// Reads the outermost level. Every inner level is checked for its syntax as well.
/// `None` if `text` is not one JSON value.
pub(super) fn read(text: &str) -> Option<Level<'_>> {
    let mut cursor = Cursor { text, at: 0 };
    let level = match cursor.peek()? {
        b'{' => Level::Object(cursor.list(b'}', |cursor| {
            let key = cursor.value::<String>()?;
            cursor.expect(b':')?;
            Some((key, cursor.raw()?))
        })?),
        b'[' => Level::Array(cursor.list(b']', Cursor::raw)?),
        b'"' => Level::String(cursor.value()?),
        _ => Level::Plain(cursor.raw()?),
    };
    cursor.peek().is_none().then_some(level)
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let blank = rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
            .count();
        self.at += blank;
        rest.get(blank).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Items between commas, from the opening bracket to the `closing` one.
    fn list<T>(&mut self, closing: u8, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut items = Vec::new();
        if self.peek()? != closing {
            items.push(item(self)?);
            while self.peek()? == b',' {
                self.at += 1;
                items.push(item(self)?);
            }
        }
        self.expect(closing)?;
        Some(items)
    }

    fn value<T: Deserialize<'a>>(&mut self) -> Option<T> {
        self.peek()?;
        let mut values = serde_json::Deserializer::from_str(&self.text[self.at..]).into_iter::<T>();
        let value = values.next()?.ok()?;
        self.at += values.byte_offset();
        Some(value)
    }

    /// The text of a value.
    fn raw(&mut self) -> Option<&'a str> {
        self.peek()?;
        let start = self.at;
        self.value::<IgnoredAny>()?;
        Some(&self.text[start..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_level_is_read_and_the_rest_stays_text() {
        assert_eq!(
            read(" { \"a\\u00e9\" : [1, 2] ,\"b\":1e999}\n"),
            Some(Level::Object(vec![
                ("a\u{e9}".to_owned(), "[1, 2]"),
                ("b".to_owned(), "1e999")
            ]))
        );
        assert_eq!(
            read("[-0.10,true,\"x\"]"),
            Some(Level::Array(vec!["-0.10", "true", "\"x\""]))
        );
        assert_eq!(read("{}"), Some(Level::Object(vec![])));
        assert_eq!(read("[ ]"), Some(Level::Array(vec![])));
        assert_eq!(read(" null "), Some(Level::Plain("null")));
        assert_eq!(read(r#""a\n""#), Some(Level::String("a\n".to_owned())));
    }

    #[test]
    fn what_is_not_one_value_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "[,1]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "[1 2]",
            "[1]]",
            "1 2",
            "01",
            "tru",
            "\"a",
            "[\"\\x\"]",
            "[{\"a\":[01]}]",
            "{\"a\":1,}",
            "[1}",
            "\u{feff}[]",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = format!("[{}{}]", "[".repeat(200_000), "]".repeat(200_000));
        let Some(Level::Array(items)) = read(&deep) else {
            panic!("not an array");
        };
        assert_eq!(items[0].len(), 400_000);
    }
}
