//! The rows of `tests/vectors/alert-messages.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolgate_plugin::Error;

use super::{Alert, render};
use crate::Args;

const TABLE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/vectors/alert-messages.json"
));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "about")]
    _about: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    template: String,
    #[serde(default)]
    conversation: Option<String>,
    arguments: Value,
    #[serde(default)]
    same: Option<Value>,
    #[serde(default)]
    body: Option<Value>,
    #[serde(default)]
    at: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    error: Option<Vec<String>>,
}

/// The value with `$repeat`, `$join` and `$many` carried out.
fn expanded(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expanded).collect(),
        Value::Object(members) => match members.iter().next() {
            Some((name, argument)) if name.starts_with('$') => applied(name, argument),
            _ => members
                .iter()
                .map(|(name, value)| (name.clone(), expanded(value)))
                .collect::<Map<_, _>>()
                .into(),
        },
        other => other.clone(),
    }
}

fn applied(name: &str, argument: &Value) -> Value {
    let times = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    match name {
        "$repeat" => argument[0].as_str().unwrap().repeat(times(&argument[1])).into(),
        "$join" => {
            let parts = argument.as_array().unwrap().iter().map(expanded);
            parts
                .map(|part| part.as_str().unwrap().to_owned())
                .collect::<String>()
                .into()
        }
        "$many" => {
            let members = (1..=times(&argument[0])).map(|number| (format!("k{number:04}"), expanded(&argument[1])));
            members.collect::<Map<_, _>>().into()
        }
        _ => panic!("there is no {name}"),
    }
}

fn rendered(row: &Row, arguments: &Value) -> Result<String, Error> {
    let mut arguments = expanded(arguments);
    arguments["target"] = json!("any");
    let args: Args = serde_json::from_value(arguments).unwrap_or_else(|error| panic!("{}: {error}", row.id));
    let details = args.details.unwrap_or_default();
    let alert = Alert::new(args.level, &args.summary, &details)?;
    render(&row.template, row.conversation.as_deref(), &alert)
}

fn check(row: &Row) {
    let id = &row.id;
    let result = rendered(row, &row.arguments);
    if let Some(words) = &row.error {
        assert!(row.body.is_none() && row.at.is_none(), "{id}: an error has no body");
        let error = result.expect_err(id);
        for word in words {
            assert!(error.message.contains(word), "{id}: {word}: {}", error.message);
        }
        assert!(error.message.len() < 500, "{id}: {}", error.message);
        return;
    }
    let text = result.unwrap_or_else(|error| panic!("{id}: {}", error.message));
    let same = row.same.as_ref().unwrap_or(&row.arguments);
    assert_eq!(text, rendered(row, same).unwrap(), "{id}");
    let body: Value = serde_json::from_str(&text).unwrap();
    match (&row.body, &row.at) {
        (Some(expected), None) => assert_eq!(body, expanded(expected), "{id}"),
        (None, Some(places)) if !places.is_empty() => {
            for (place, expected) in places {
                assert_eq!(found(&body, place), expanded(expected), "{id}: {place}");
            }
        }
        _ => panic!("{id}: give body, at or error"),
    }
}

/// What a pointer names; with `/$len` at its end, how many items the list has.
fn found(body: &Value, place: &str) -> Value {
    match place.strip_suffix("/$len") {
        Some(list) => body.pointer(list).and_then(Value::as_array).map_or(0, Vec::len).into(),
        None => body.pointer(place).cloned().unwrap_or_default(),
    }
}

#[test]
fn every_row_holds() {
    let table: Table = serde_json::from_str(TABLE).unwrap();
    let ids: BTreeSet<_> = table.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), table.rows.len(), "an id is used twice");
    for id in [
        "L1", "L5", "L6", "L7", "L8", "L9", "L10", "L11", "L12", "L19", "L22", "A9", "A10",
    ] {
        assert!(ids.contains(id), "{id}");
    }
    table.rows.iter().for_each(check);
}
