//! The shape of a value, by the published schema: one source for the types, the schema and the messages.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::complaint::{Complaint, Severity};
use super::words;
use crate::config::document::Notation;
use crate::config::key_path::KeyPath;
use crate::config::keys;
use crate::config::schema::schema;

static SCHEMA: LazyLock<Value> = LazyLock::new(schema);

/// Everything about `value` that the schema does not permit.
pub(in crate::config) fn shape(value: &Value, notation: Notation) -> Vec<Complaint> {
    let mut walk = Walk {
        notation,
        found: Vec::new(),
    };
    walk.value(&SCHEMA, value, &KeyPath::default());
    walk.found
}

struct Walk {
    notation: Notation,
    found: Vec<Complaint>,
}

impl Walk {
    fn value(&mut self, schema: &Value, value: &Value, path: &KeyPath) {
        if value.as_str() == Some("") && keys::EMPTY_IS_UNSET.contains(&path.to_string().as_str()) {
            return;
        }
        if let Some(target) = schema["$ref"].as_str() {
            let target = SCHEMA.pointer(target.trim_start_matches('#'));
            self.value(target.unwrap_or(&Value::Null), value, path);
        }
        if let Some(reason) = words::mismatch(schema, value) {
            self.found.push(Complaint::error(path.clone(), reason));
            return;
        }
        match value {
            Value::Object(members) => self.members(schema, members, path),
            Value::Array(list) => {
                for (index, element) in list.iter().enumerate() {
                    self.value(&schema["items"], element, &path.index(index));
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, schema: &Value, members: &Map<String, Value>, path: &KeyPath) {
        let Some(known) = schema["properties"].as_object() else {
            if let Some(each @ Value::Object(_)) = schema.get("additionalProperties") {
                for (name, value) in members {
                    self.value(each, value, &path.key(name));
                }
            }
            return;
        };
        for (name, value) in members {
            let member = path.key(name);
            match known.get(name) {
                Some(schema) => self.value(schema, value, &member),
                None => self.unknown(name, member, known),
            }
        }
    }

    fn unknown(&mut self, name: &str, path: KeyPath, known: &Map<String, Value>) {
        let names = || known.keys().map(String::as_str);
        let hint = crate::suggest::hint(name, names());
        let hint = if hint.is_empty() {
            format!("; the keys here are {}", names().collect::<Vec<_>>().join(", "))
        } else {
            hint
        };
        let in_security = path.steps().len() > 1 && path.section().is_some_and(|name| keys::SECURITY.contains(&name));
        // Another reader of the file might take such a key for the known one.
        let differs_in_case = names().any(|known| known.eq_ignore_ascii_case(name));
        let severity = if self.notation == Notation::Toml || in_security || differs_in_case {
            Severity::Error
        } else {
            Severity::PassedOver
        };
        let fate = if severity == Severity::Error {
            ""
        } else {
            " has no effect"
        };
        self.found.push(Complaint {
            path,
            severity,
            text: format!("unknown key {name:?}{fate}{hint}"),
        });
    }
}
