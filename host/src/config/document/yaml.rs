//! YAML, as far as a manifest needs it: one document of plain values. Aliases, which can make a
//! short text endless, and tags are refused.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::{Map, Number, Value};

use super::SyntaxError;

/// Deepest nesting, as in the other notations.
const MAX_DEPTH: usize = 128;

type Read<T> = Result<T, SyntaxError>;

/// The one document of a text; `null` if it is empty.
pub(in crate::config) fn parse(text: &str) -> Read<Value> {
    let mut reader = Reader {
        events: Parser::new_from_str(text),
    };
    let mut value = Value::Null;
    let mut documents = 0;
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(value),
            (Event::DocumentStart(_), span) => {
                documents += 1;
                if documents > 1 {
                    return fail(span, "it holds several documents; one is expected");
                }
                value = reader.value(0)?;
            }
            _ => {}
        }
    }
}

struct Reader<'a, E: Iterator<Item = Result<(Event<'a>, Span), saphyr_parser::ScanError>>> {
    events: E,
}

impl<'a, E: Iterator<Item = Result<(Event<'a>, Span), saphyr_parser::ScanError>>> Reader<'a, E> {
    fn next(&mut self) -> Read<(Event<'a>, Span)> {
        match self.events.next() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(SyntaxError {
                line: Some(error.marker().line()),
                reason: error.info().to_owned(),
            }),
            None => Err(SyntaxError {
                line: None,
                reason: "it ends too early".to_owned(),
            }),
        }
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        let (event, span) = self.next()?;
        self.value_of(event, span, depth)
    }

    fn value_of(&mut self, event: Event<'a>, span: Span, depth: usize) -> Read<Value> {
        if depth > MAX_DEPTH {
            return fail(span, "it is nested too deep");
        }
        match event {
            Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) => {
                fail(span, "tags are not read")
            }
            Event::Scalar(text, style, ..) => Ok(scalar(&text, style)),
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => return Ok(Value::Array(list)),
                        (event, span) => list.push(self.value_of(event, span, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => self.mapping(depth),
            Event::Alias(_) => fail(span, "aliases are not read"),
            _ => fail(span, "a value is expected"),
        }
    }

    fn mapping(&mut self, depth: usize) -> Read<Value> {
        let mut map = Map::new();
        loop {
            let (event, span) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(Value::Object(map)),
                Event::Scalar(text, _, _, None) => text.into_owned(),
                _ => return fail(span, "a key must be plain text"),
            };
            let value = self.value(depth + 1)?;
            if map.insert(key.clone(), value).is_some() {
                return fail(span, &format!("the key {key:?} is given twice"));
            }
        }
    }
}

fn fail<T>(span: Span, reason: &str) -> Read<T> {
    Err(SyntaxError {
        line: Some(span.start.line()),
        reason: reason.to_owned(),
    })
}

/// What a scalar says by the core schema of YAML 1.2.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::from(text);
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => {
            let number = text.parse::<i64>().ok().map(Number::from);
            let number = number.or_else(|| {
                let is_number = text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char));
                text.parse().ok().filter(|_| is_number).and_then(Number::from_f64)
            });
            number.map_or_else(|| Value::from(text), Value::Number)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_plain_documents() {
        let text = "# c\nversion: 1\nenv:\n  - name: A\n    required: yes\n    'x y': \"1\"\n  - {b: true, c: [1.5, ~, -.inf, 1e3]}\n  - |\n    two\n    lines\n";
        let expected = json!({"version": 1, "env": [
            {"name": "A", "required": "yes", "x y": "1"},
            {"b": true, "c": [1.5, null, "-.inf", 1000.0]},
            "two\nlines\n",
        ]});
        assert_eq!(parse(text).unwrap(), expected);
        assert_eq!(parse("").unwrap(), Value::Null);
        assert_eq!(parse("---\na: 1\n...\n").unwrap(), json!({"a": 1}));
    }

    #[test]
    fn refuses_what_no_manifest_needs() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        for (text, line) in [
            ("a: &x 1\nb: *x\n", Some(2)),
            ("a: !!str 1\n", Some(1)),
            ("a: 1\na: 2\n", Some(2)),
            ("a: 1\n---\nb: 2\n", Some(2)),
            ("? [a]\n: 1\n", Some(1)),
            ("a: [1\n", None),
            (&deep, None),
        ] {
            let error = parse(text).unwrap_err();
            assert!(line.is_none() || error.line == line, "{error:?}");
        }
    }
}
