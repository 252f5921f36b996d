//! The output schema of a tool whose results may be replaced by digests.

use serde_json::{Map, Value, json};

/// Keywords that belong to a whole schema document, so they stay at its root.
const ROOT_KEYWORDS: &[&str] = &["$schema", "$id", "$defs", "definitions"];

/// Where the original schema comes to lie.
const ORIGINAL: &str = "#/anyOf/0";

/// A JSON Schema (2020-12) for results that are either as `original` tells or a [digest](super::Digest::envelope).
///
/// Definitions stay where references find them; references to other parts of the original follow it.
pub fn output_schema(original: &Value) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    let mut original = original.clone();
    redirect(&mut original);
    if let Value::Object(members) = &mut original {
        for keyword in ROOT_KEYWORDS {
            if let Some(value) = members.remove(*keyword) {
                schema.insert((*keyword).to_owned(), value);
            }
        }
    }
    schema.insert("anyOf".to_owned(), Value::Array(vec![original, envelope()]));
    Value::Object(schema)
}

fn envelope() -> Value {
    json!({
        "type": "object",
        "description": "A digest, in place of a large result.",
        "properties": {
            "digest": {"type": "string", "description": "The result in short: JSON as text."},
            "raw_bytes": {"type": "integer", "description": "Bytes of the whole result."},
            "method": {"type": "string"},
            "call_id": {"type": "string", "description": "Given if the whole result is kept."},
            "digest_meta": {"type": "object", "description": "How often something was left out."},
            "savings": {"type": "object"}
        },
        "required": ["digest", "raw_bytes", "method", "savings"]
    })
}

/// Makes references to parts of the document that move point to where they will be.
fn redirect(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(redirect),
        Value::Object(members) => {
            for (keyword, value) in members {
                match value {
                    Value::String(target) if keyword == "$ref" => *target = moved(target),
                    _ => redirect(value),
                }
            }
        }
        _ => {}
    }
}

fn moved(target: &str) -> String {
    let Some(pointer) = target.strip_prefix('#') else {
        return target.to_owned();
    };
    let mut names = pointer.split('/');
    let is_pointer = names.next() == Some("");
    let stays = names.next().is_some_and(|name| ROOT_KEYWORDS.contains(&name));
    if is_pointer && !stays {
        format!("{ORIGINAL}{pointer}")
    } else {
        target.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::digest;
    use super::*;

    #[test]
    fn both_forms_are_valid_and_nothing_else() {
        let original = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Output",
            "type": "object",
            "required": ["entries"],
            "additionalProperties": false,
            "properties": {
                "entries": {"type": "array", "items": {"$ref": "#/$defs/Entry"}},
                "child": {"$ref": "#"},
                "same": {"$ref": "#/properties/entries"}
            },
            "$defs": {"Entry": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}
        });
        let schema = output_schema(&original);
        assert!(jsonschema::meta::is_valid(&schema));
        assert_eq!(schema["type"], "object");
        let validator = jsonschema::validator_for(&schema).unwrap();
        let entries: Vec<Value> = (0..500)
            .map(|n| json!({"name": format!("a long name, number {n}")}))
            .collect();
        let result = json!({"entries": entries});
        let digest = digest("other", &result.to_string()).unwrap();
        for valid in [
            result.clone(),
            json!({"entries": [], "child": result, "same": [{"name": "x"}]}),
            digest.envelope(Some("c"), None).into(),
            digest.envelope(None, Some("full")).into(),
        ] {
            assert!(validator.is_valid(&valid), "{valid}");
        }
        for invalid in [
            json!({}),
            json!([]),
            json!({"entries": [{}]}),
            json!({"entries": [], "child": {}}),
            json!({"entries": [], "same": [1]}),
            json!({"digest": "{}"}),
        ] {
            assert!(!validator.is_valid(&invalid), "{invalid}");
        }
    }
}
