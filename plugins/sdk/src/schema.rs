//! JSON Schemas of arguments and results, without the noise that a model would have to read.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of the arguments: an object that allows no unknown properties.
pub(crate) fn input<T: JsonSchema>() -> String {
    let mut schema = base().for_deserialize().into_generator().into_root_schema_for::<T>();
    Tidy { closed: true }.transform(&mut schema);
    schema.insert("additionalProperties".into(), Value::Bool(false));
    finish(schema)
}

/// The schema of the result. It stays open, so that a field can be added later.
pub(crate) fn output<T: JsonSchema>() -> String {
    let mut schema = base().for_serialize().into_generator().into_root_schema_for::<T>();
    Tidy { closed: false }.transform(&mut schema);
    finish(schema)
}

fn base() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    })
}

/// The doc comment of the struct itself describes Rust code, so it goes.
fn finish(mut schema: Schema) -> String {
    schema.remove("description");
    schema.to_value().to_string()
}

/// Removes titles, number formats and the `null` of optional properties; closes objects.
struct Tidy {
    closed: bool,
}

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            object.remove("title");
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = unwrapped(description);
            }
            let numeric = object.get("format").and_then(Value::as_str).is_some_and(|format| {
                ["int", "uint", "float", "double"]
                    .iter()
                    .any(|kind| format.starts_with(kind))
            });
            if numeric {
                object.remove("format");
            }
            forbid_null(object);
            if self.closed && object.contains_key("properties") {
                object.entry("additionalProperties").or_insert(Value::Bool(false));
            }
        }
        transform_subschemas(self, schema);
    }
}

/// Undoes the line breaks that a doc comment has only to fit its line; paragraphs stay.
fn unwrapped(description: &str) -> String {
    let paragraphs: Vec<String> = description.split("\n\n").map(|text| text.replace('\n', " ")).collect();
    paragraphs.join("\n\n")
}

/// An optional property is left out, never `null`.
fn forbid_null(object: &mut Map<String, Value>) {
    let required: Vec<String> = object
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for (name, property) in properties {
        if let Some(property) = property.as_object_mut().filter(|_| !required.contains(name)) {
            drop_null(property);
        }
    }
}

fn drop_null(property: &mut Map<String, Value>) {
    if property.get("default") == Some(&Value::Null) {
        property.remove("default");
    }
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(options)) = property.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    if let Some(Value::Array(options)) = property.get_mut("anyOf") {
        options.retain(|option| option.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = options.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            for (key, value) in only {
                property.entry(key).or_insert(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    /// Text about Rust.
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Sample {
        /// A path,
        /// continued.
        ///
        /// And more.
        path: String,
        #[schemars(range(min = 1))]
        start: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inner: Option<Inner>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        ratio: f64,
    }

    #[test]
    fn input_schema_is_closed_and_quiet() {
        let schema: Value = serde_json::from_str(&input::<Sample>()).unwrap();
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
                "path": {"type": "string", "description": "A path, continued.\n\nAnd more."},
                "start": {"type": "integer", "minimum": 1},
                "inner": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["ratio"],
                    "properties": {"ratio": {"type": "number"}},
                },
            },
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn output_schema_is_open() {
        let schema: Value = serde_json::from_str(&output::<Sample>()).unwrap();
        assert_eq!(schema.get("additionalProperties"), None);
        assert_eq!(schema["properties"]["start"]["type"], json!(["integer", "null"]));
        assert_eq!(schema["properties"]["inner"]["type"], json!("object"));
    }
}
