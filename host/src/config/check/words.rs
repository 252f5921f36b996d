//! How one value fails one schema, in words. Values are quoted only where they
//! are numbers or one of a few words, so that a secret in the wrong place stays where it is.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// Why the value itself, not its parts, does not fit.
pub(super) fn mismatch(schema: &Value, value: &Value) -> Option<String> {
    if let Some(expected) = schema["type"].as_str()
        && !has_type(value, expected)
    {
        return Some(format!("it is {}; {} is expected", describe(value), article(expected)));
    }
    if let Some(names) = names(schema)
        && !names.contains(&value.as_str().unwrap_or_default())
    {
        return Some(unknown_word(value.as_str()?, &names));
    }
    if let Some(number) = value.as_f64() {
        return out_of_bounds(schema, value, number);
    }
    let text = value.as_str()?;
    if schema["minLength"]
        .as_u64()
        .is_some_and(|least| least > 0 && text.is_empty())
    {
        return Some("it is empty".to_owned());
    }
    let pattern = schema["pattern"].as_str()?;
    if compiled(pattern).is_some_and(|regex| !regex.is_match(text)) {
        return Some(match pattern {
            r"\S" => "it is blank".to_owned(),
            _ => format!("{text:?} does not have the form {pattern}"),
        });
    }
    None
}

/// The words that a schema lists, if it lists any.
fn names(schema: &Value) -> Option<Vec<&str>> {
    if let Some(list) = schema["enum"].as_array() {
        return Some(list.iter().filter_map(Value::as_str).collect());
    }
    let choices = schema["oneOf"].as_array()?;
    let mut all = Vec::new();
    for choice in choices {
        all.extend(choice["const"].as_str());
        all.extend(
            choice["enum"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str),
        );
    }
    Some(all)
}

fn unknown_word(given: &str, names: &[&str]) -> String {
    let names: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    let plain = given.replace(['-', '_'], "");
    let hint = match crate::suggest::hint(given, names.iter().copied()) {
        hint if hint.is_empty() => crate::suggest::hint(&plain, names.iter().copied()),
        hint => hint,
    };
    format!("{given:?} is not known; use {}{hint}", names.join(", "))
}

fn out_of_bounds(schema: &Value, value: &Value, number: f64) -> Option<String> {
    let bound = |name: &str| schema[name].as_f64();
    if let Some(above) = bound("exclusiveMinimum").filter(|above| number <= *above) {
        return Some(match bound("maximum") {
            Some(most) => format!("it is {value}; it must be above {above} and at most {most}"),
            None => format!("it is {value}; it must be above {above}"),
        });
    }
    let (least, most) = (bound("minimum"), bound("maximum"));
    if least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most) {
        return None;
    }
    Some(match (least, most) {
        (Some(least), Some(most)) => format!("it is {value}; it must be {least} to {most}"),
        (Some(least), None) => format!("it is {value}; it must be at least {least}"),
        (None, Some(most)) => format!("it is {value}; it must be at most {most}"),
        (None, None) => return None,
    })
}

fn has_type(value: &Value, expected: &str) -> bool {
    match expected {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => true,
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn article(expected: &str) -> &str {
    match expected {
        "object" => "an object",
        "array" => "a list",
        "string" => "a text",
        "boolean" => "true or false",
        "number" => "a number",
        "integer" => "a whole number",
        other => other,
    }
}

/// The patterns of the schema are few and fixed.
fn compiled(pattern: &str) -> Option<&'static Regex> {
    static KNOWN: LazyLock<Vec<(&str, Option<Regex>)>> = LazyLock::new(|| {
        [r"\S", r"^[A-Za-z_][A-Za-z0-9_]{0,63}$", r"^[A-Za-z0-9_-]{1,64}$"]
            .into_iter()
            .map(|pattern| (pattern, Regex::new(pattern).ok()))
            .collect()
    });
    KNOWN.iter().find(|(known, _)| *known == pattern)?.1.as_ref()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::schema;

    #[test]
    fn every_pattern_of_the_schema_is_compiled() {
        fn visit(value: &Value, seen: &mut usize) {
            if let Some(pattern) = value["pattern"].as_str() {
                assert!(compiled(pattern).is_some(), "{pattern}");
                *seen += 1;
            }
            let parts: Vec<&Value> = match value {
                Value::Object(map) => map.values().collect(),
                Value::Array(list) => list.iter().collect(),
                _ => Vec::new(),
            };
            parts.into_iter().for_each(|part| visit(part, seen));
        }
        let mut seen = 0;
        visit(&schema(), &mut seen);
        assert!(seen >= 4, "{seen}");
    }

    #[test]
    fn texts_of_the_wrong_type_are_not_quoted() {
        let reason = mismatch(&json!({"type": "object"}), &json!("hunter2")).unwrap();
        assert!(!reason.contains("hunter2"), "{reason}");
    }
}
