//! TOML, with the lines from the parser's own spans.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};
use toml::de::{DeTable, DeValue};

use super::{Document, LineCounter, SyntaxError};
use crate::config::key_path::KeyPath;

/// Deepest nesting, as in JSON.
const MAX_DEPTH: usize = 128;

pub(super) fn parse(text: &str) -> Result<Document, Vec<SyntaxError>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        counter: LineCounter::new(text),
        lines: BTreeMap::new(),
        errors: Vec::new(),
    };
    for error in errors {
        let line = error.span().map(|span| reader.counter.line(span.start));
        reader.errors.push(SyntaxError {
            line,
            reason: error.message().trim().replace('\n', "; "),
        });
    }
    if reader.errors.is_empty() {
        let value = reader.table(table.get_ref(), &KeyPath::default(), 0);
        if reader.errors.is_empty() {
            return Ok(Document {
                value,
                lines: reader.lines,
            });
        }
    }
    Err(reader.errors)
}

struct Reader<'a> {
    counter: LineCounter<'a>,
    lines: BTreeMap<KeyPath, usize>,
    errors: Vec<SyntaxError>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &KeyPath, depth: usize) -> Value {
        let mut map = Map::new();
        for (key, value) in table {
            let member = path.key(key.get_ref());
            let line = self.counter.line(key.span().start);
            self.lines.insert(member.clone(), line);
            let value = self.value(value.get_ref(), &member, line, depth + 1);
            map.insert(key.get_ref().to_string(), value);
        }
        Value::Object(map)
    }

    fn value(&mut self, value: &DeValue<'_>, path: &KeyPath, line: usize, depth: usize) -> Value {
        if depth > MAX_DEPTH {
            return self.fail(line, format!("{path}: nested deeper than {MAX_DEPTH} levels"));
        }
        match value {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Datetime(value) => Value::String(value.to_string()),
            DeValue::Integer(value) => {
                let parsed = i128::from_str_radix(value.as_str(), value.radix()).ok();
                match parsed.and_then(Number::from_i128) {
                    Some(number) => Value::Number(number),
                    None => self.fail(line, format!("{path}: {value} is out of range")),
                }
            }
            DeValue::Float(value) => {
                let parsed = value.as_str().parse().ok();
                match parsed.and_then(Number::from_f64) {
                    Some(number) => Value::Number(number),
                    None => self.fail(line, format!("{path}: {} is not a finite number", value.as_str())),
                }
            }
            DeValue::Array(list) => {
                let mut values = Vec::new();
                for (index, value) in list.iter().enumerate() {
                    let element = path.index(index);
                    let line = self.counter.line(value.span().start);
                    self.lines.insert(element.clone(), line);
                    values.push(self.value(value.get_ref(), &element, line, depth + 1));
                }
                Value::Array(values)
            }
            DeValue::Table(table) => self.table(table, path, depth),
        }
    }

    fn fail(&mut self, line: usize, reason: String) -> Value {
        self.errors.push(SyntaxError {
            line: Some(line),
            reason,
        });
        Value::Null
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_lines_and_reports_all_errors() {
        let document = parse("version = 1\n[permissions]\ndeny = [\n 'a',\n 'b',\n]\n").unwrap();
        assert_eq!(document.line(&KeyPath::of("permissions.deny")), Some(3));
        assert_eq!(document.line(&KeyPath::of("permissions.deny").index(1)), Some(5));
        let errors = parse("a = \nb = 1\nb = 2\n").unwrap_err();
        assert!(errors.len() > 1, "{errors:?}");
        assert!(parse("a = inf").is_err());
        assert!(parse("a = 99999999999999999999999999").is_err());
    }

    #[test]
    fn depth_is_bounded() {
        for text in [
            format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
            format!("{}a = 1", "a.".repeat(100_000)),
            format!("[{}a]", "a.".repeat(100_000)),
        ] {
            assert!(parse(&text).is_err());
        }
    }
}
