//! The JSON Schema of the configuration.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::Config;
use crate::config::keys::FOREIGN;

/// The JSON Schema (draft 2020-12) of a configuration file, as published:
/// descriptions, defaults and bounds of every key. What it admits has the shape
/// that loading wants; a JSON file may hold further keys, which are passed over with a word.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Config>().to_value();
    schema["title"] = json!("Toolgate configuration");
    if let Some(properties) = schema["properties"].as_object_mut() {
        for (name, description) in FOREIGN {
            let description = format!("{description} Accepted in JSON files, and passed over.");
            properties.insert(
                (*name).to_owned(),
                json!({"type": "object", "description": description}),
            );
        }
        properties.insert(
            "$schema".to_owned(),
            json!({"type": "string", "description": "Where an editor finds this schema."}),
        );
    }
    tidy(&mut schema);
    schema
}

/// Drops defaults that say nothing, and folds line breaks of descriptions.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(map) => tidy_object(map),
        Value::Array(list) => list.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn tidy_object(map: &mut Map<String, Value>) {
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if let Some(Value::String(text)) = map.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    map.values_mut().for_each(tidy);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::config::key_path::KeyPath;
    use crate::config::keys::{KEYS, find};

    fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(target) => root.pointer(target.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    /// Every place of the schema where a value stands, down to what `keys` knows.
    fn leaves(root: &Value, schema: &Value, path: Option<&KeyPath>, out: &mut BTreeSet<String>) {
        let schema = resolve(root, schema);
        if let Some(path) = path
            && let Some(key) = find(path)
        {
            out.insert(key.pattern.to_owned());
            return;
        }
        let step = |name: &str| path.map_or_else(|| KeyPath::of(name), |path| path.key(name));
        if let Some(properties) = schema["properties"].as_object() {
            for (name, part) in properties {
                if path.is_none() && (name == "$schema" || FOREIGN.iter().any(|(foreign, _)| foreign == name)) {
                    continue;
                }
                leaves(root, part, Some(&step(name)), out);
            }
        } else if schema["additionalProperties"].is_object() {
            leaves(root, &schema["additionalProperties"], Some(&step("any")), out);
        } else {
            panic!("{path:?} is in the schema and not in KEYS");
        }
    }

    #[test]
    fn the_schema_and_the_table_of_keys_agree() {
        let schema = schema();
        let mut found = BTreeSet::new();
        leaves(&schema, &schema, None, &mut found);
        let known: BTreeSet<String> = KEYS.iter().map(|key| key.pattern.to_owned()).collect();
        assert_eq!(found, known);
        assert_eq!(known.len(), KEYS.len());
    }

    #[test]
    fn every_key_is_described() {
        fn visit(root: &Value, value: &Value, place: &str) {
            for (name, part) in value["properties"].as_object().into_iter().flatten() {
                let described = part["description"].is_string() || resolve(root, part)["description"].is_string();
                assert!(described, "{place}.{name}");
            }
            for (name, part) in value["$defs"].as_object().into_iter().flatten() {
                visit(root, part, name);
            }
        }
        let schema = schema();
        visit(&schema, &schema, "");
        assert!(!schema.to_string().contains("\"default\":null"));
    }
}
