//! Comparing one JSON value with what a row expects of it.

use serde_json::{Map, Value};

use super::Workspace;

/// Compares `actual` (absent: the field is missing) with `expected`.
///
/// A scalar must be equal, an array must match item by item, an object must have exactly the same fields. An object whose only field
/// begins with `$` is a matcher:
///
/// | matcher | holds when the value |
/// |---|---|
/// | `{"$absent": true}` | is missing |
/// | `{"$present": true}` | is there and not null |
/// | `{"$contains": "x"}`, `{"$starts": "x"}`, `{"$ends": "x"}` | is a string with that part |
/// | `{"$lacks": "x"}` | is a string without that part |
/// | `{"$shape": "##:##"}` | is a string with a digit at each `#` and otherwise the same characters |
/// | `{"$repeat": ["x", 3]}` | is the string `xxx` |
/// | `{"$len": 3}` | is an array of that many items or a string of that many bytes |
/// | `{"$max_bytes": 3}` | has at most that many bytes: a string's own, else those of its compact JSON |
/// | `{"$pluck": {"field": "name", "is": […]}}` | is an array whose items have these values in that field |
/// | `{"$fields": {…}}` | is an object with at least these fields |
/// | `{"$all": […]}` | matches every one |
pub fn matches_value(expected: &Value, actual: Option<&Value>, workspace: &Workspace) -> Result<(), String> {
    if let Some((name, argument)) = operator(expected) {
        return apply(name, argument, actual, workspace);
    }
    let actual = actual.ok_or_else(|| format!("expected {}, but there is none", shown(expected)))?;
    match (expected, actual) {
        (Value::Array(expected), Value::Array(items)) if expected.len() == items.len() => expected
            .iter()
            .zip(items)
            .enumerate()
            .try_for_each(|(index, (expected, item))| {
                matches_value(expected, Some(item), workspace).map_err(|error| format!("[{index}]: {error}"))
            }),
        (Value::Object(expected), Value::Object(fields)) => {
            has_fields(expected, fields, workspace)?;
            match fields.keys().find(|name| !expected.contains_key(*name)) {
                Some(extra) => Err(format!("has the field {extra:?}, which is not expected")),
                None => Ok(()),
            }
        }
        _ => {
            let wanted = workspace.expand_value(expected);
            holds(&wanted == actual, &format!("expected {}", shown(&wanted)), actual)
        }
    }
}

/// Every field of `expected` must match its namesake in `fields`, which may have others besides.
pub(super) fn has_fields(
    expected: &Map<String, Value>,
    fields: &Map<String, Value>,
    workspace: &Workspace,
) -> Result<(), String> {
    expected.iter().try_for_each(|(name, expected)| {
        matches_value(expected, fields.get(name), workspace).map_err(|error| format!("{name}: {error}"))
    })
}

fn operator(expected: &Value) -> Option<(&str, &Value)> {
    let fields = expected.as_object()?;
    let (name, argument) = fields.iter().next()?;
    (fields.len() == 1 && name.starts_with('$')).then_some((name.as_str(), argument))
}

fn apply(name: &str, argument: &Value, actual: Option<&Value>, workspace: &Workspace) -> Result<(), String> {
    let actual = match (name, actual) {
        ("$absent", None) => return Ok(()),
        ("$absent", Some(actual)) => return holds(false, "expected none", actual),
        (_, Some(actual)) => actual,
        (_, None) => {
            return Err(format!("expected {name} {}, but there is none", shown(argument)));
        }
    };
    let wanted = workspace.expand_value(argument);
    let describe = format!("expected {name} {}", shown(&wanted));
    let text = actual.as_str();
    let ok = match (name, &wanted) {
        ("$present", _) => !actual.is_null(),
        ("$contains", Value::String(part)) => text.is_some_and(|text| text.contains(part)),
        ("$lacks", Value::String(part)) => text.is_some_and(|text| !text.contains(part)),
        ("$starts", Value::String(part)) => text.is_some_and(|text| text.starts_with(part)),
        ("$ends", Value::String(part)) => text.is_some_and(|text| text.ends_with(part)),
        ("$shape", Value::String(shape)) => text.is_some_and(|text| has_shape(text, shape)),
        ("$repeat", Value::Array(_)) => {
            let whole = Value::Object(Map::from_iter([(name.to_owned(), argument.clone())]));
            workspace.expand_value(&whole) == *actual
        }
        ("$len", Value::Number(len)) => length(actual).is_some_and(|actual| Some(actual) == len.as_u64()),
        ("$max_bytes", Value::Number(max)) => max.as_u64().is_some_and(|max| bytes(actual) <= max),
        ("$pluck", Value::Object(pluck)) => return matches_plucked(pluck, actual, workspace),
        ("$fields", Value::Object(_)) => {
            let (Some(expected), Some(fields)) = (argument.as_object(), actual.as_object()) else {
                return holds(false, &describe, actual);
            };
            return has_fields(expected, fields, workspace);
        }
        ("$all", Value::Array(_)) => {
            let all = argument.as_array().map(Vec::as_slice).unwrap_or_default();
            return all
                .iter()
                .try_for_each(|expected| matches_value(expected, Some(actual), workspace));
        }
        _ => return Err(format!("{name} {} is no matcher", shown(argument))),
    };
    holds(ok, &describe, actual)
}

fn matches_plucked(pluck: &Map<String, Value>, actual: &Value, workspace: &Workspace) -> Result<(), String> {
    let (Some(field), Some(expected)) = (pluck.get("field").and_then(Value::as_str), pluck.get("is")) else {
        return Err("$pluck needs field and is".to_owned());
    };
    let Some(items) = actual.as_array() else {
        return holds(false, "expected an array", actual);
    };
    let values: Value = items
        .iter()
        .map(|item| item.get(field).cloned().unwrap_or(Value::Null))
        .collect();
    matches_value(expected, Some(&values), workspace).map_err(|error| format!("{field} of the items: {error}"))
}

fn has_shape(text: &str, shape: &str) -> bool {
    text.chars().count() == shape.chars().count()
        && text
            .chars()
            .zip(shape.chars())
            .all(|(c, s)| if s == '#' { c.is_ascii_digit() } else { c == s })
}

fn length(value: &Value) -> Option<u64> {
    let length = match value {
        Value::Array(items) => items.len(),
        Value::String(text) => text.len(),
        _ => return None,
    };
    u64::try_from(length).ok()
}

fn bytes(value: &Value) -> u64 {
    length(value)
        .filter(|_| value.is_string())
        .unwrap_or_else(|| value.to_string().len() as u64)
}

fn holds(ok: bool, expectation: &str, actual: &Value) -> Result<(), String> {
    if ok {
        Ok(())
    } else {
        Err(format!("{expectation}, got {}", shown(actual)))
    }
}

/// Compact JSON, cut so that a long file does not flood the report.
pub(super) fn shown(value: &Value) -> String {
    const SHOWN_CHARS: usize = 300;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}
