//! The rows of `vectors/config.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use toolgate::config::{self, DiscoverOptions, Effective, Flags, Layers, TrustStore};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[allow(dead_code, reason = "for readers")]
    about: String,
    rows: Vec<Row>,
    narrowing: Vec<(String, Value, Value, Value)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[allow(dead_code, reason = "for readers")]
    note: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    user: Option<String>,
    #[serde(default)]
    project: BTreeMap<String, String>,
    #[serde(default)]
    trusted: Vec<String>,
    #[serde(default)]
    flags: RowFlags,
    tools: Option<Vec<String>>,
    errors: Option<Vec<Vec<String>>>,
    /// There may be more errors than those listed.
    #[serde(default)]
    at_least: bool,
    #[serde(default)]
    config: BTreeMap<String, Value>,
    #[serde(default)]
    origins: BTreeMap<String, String>,
    #[serde(default)]
    remarks: Vec<Vec<String>>,
    remarks_at_least: Option<Vec<Vec<String>>>,
    #[serde(default)]
    silent: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RowFlags {
    mode: Option<String>,
    yolo: bool,
    deny: Vec<String>,
    allow_path: Vec<String>,
    disable_tools: Vec<String>,
    enable_tools: Vec<String>,
    plan_mode: Option<String>,
    no_builtin_tools: bool,
}

fn table() -> Table {
    serde_json::from_str(include_str!("../../vectors/config.json")).unwrap()
}

fn flags(row: &RowFlags) -> Result<Flags, String> {
    let paths = row.allow_path.iter().map(|text| config::parse_allow_path(text));
    Ok(Flags {
        mode: row.mode.as_ref().map(|mode| mode.parse().unwrap()),
        yolo: row.yolo,
        deny: row.deny.clone(),
        allow_path: paths.collect::<Result<_, _>>()?,
        disable_tools: row.disable_tools.clone(),
        enable_tools: row.enable_tools.clone(),
        plan_mode: row.plan_mode.clone(),
        no_builtin_tools: row.no_builtin_tools,
        ..Flags::default()
    })
}

/// Loads what a row describes; the errors as texts.
fn load(row: &Row, base: &Path) -> Result<Effective, Vec<String>> {
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        path.canonicalize().unwrap()
    };
    let state = base.join("state");
    let root = base.join("project");
    fs::create_dir_all(&root).unwrap();
    let mut trust = TrustStore::open(Some(&state));
    for (name, text) in &row.project {
        let path = write(&root.join(".agents").join(name), text);
        if row.trusted.contains(name) {
            // What the operator is shown is what is trusted.
            let shown = Layers::discover(&options(&root, &state)).unwrap();
            let digest = shown.files.iter().find(|file| file.path == path).unwrap().digest;
            trust.trust(&path, digest).unwrap();
        }
    }
    let options = DiscoverOptions {
        config: row
            .files
            .iter()
            .map(|(name, text)| write(&base.join(name), text))
            .collect(),
        user_file: row
            .user
            .as_ref()
            .map(|text| write(&base.join("user/config.toml"), text)),
        flags: flags(&row.flags).map_err(|error| vec![error])?,
        tools: row.tools.clone(),
        ..options(&root, &state)
    };
    Layers::discover(&options).map_err(|errors| errors.problems().iter().map(ToString::to_string).collect())
}

fn options(root: &Path, state: &Path) -> DiscoverOptions {
    DiscoverOptions {
        root: root.to_owned(),
        state: Some(state.to_owned()),
        ..DiscoverOptions::default()
    }
}

/// Whether each list of texts is found in a message of its own.
fn pair(expected: &[Vec<String>], found: &[String], exact: bool) -> Result<(), String> {
    let mut left: Vec<&String> = found.iter().collect();
    for texts in expected {
        let hit = left
            .iter()
            .position(|message| texts.iter().all(|text| message.contains(text)));
        match hit {
            Some(hit) => drop(left.remove(hit)),
            None => return Err(format!("no message with {texts:?} in {found:#?}")),
        }
    }
    if exact && !left.is_empty() {
        return Err(format!("not expected: {left:#?}"));
    }
    Ok(())
}

fn value(effective: &Effective, key: &str) -> Value {
    let pointer = format!("/{}", key.replace("].", "/").replace(['.', '['], "/").replace(']', ""));
    let whole = serde_json::to_value(&effective.config).unwrap();
    whole.pointer(&pointer).cloned().unwrap_or_default()
}

fn check(row: &Row) -> Result<(), String> {
    let base = tempfile::tempdir().unwrap();
    let loaded = load(row, base.path());
    let texts = match &loaded {
        Ok(effective) => vec![config::text(effective), config::json(effective).to_string()],
        Err(errors) => errors.clone(),
    };
    if let Some(secret) = row
        .silent
        .iter()
        .find(|secret| texts.iter().any(|text| text.contains(*secret)))
    {
        return Err(format!("{secret} shows in {texts:#?}"));
    }
    match (&row.errors, loaded) {
        (Some(expected), Err(errors)) => pair(expected, &errors, !row.at_least),
        (Some(_), Ok(effective)) => Err(format!("it loads: {:#?}", effective.config)),
        (None, Err(errors)) => Err(format!("{errors:#?}")),
        (None, Ok(effective)) => {
            let base_path = base.path().canonicalize().unwrap();
            for (key, expected) in &row.config {
                let expected = expected.to_string().replace("$BASE", base_path.to_str().unwrap());
                let expected: &Value = &serde_json::from_str(&expected).unwrap();
                let found = value(&effective, key);
                if found != *expected {
                    return Err(format!("{key} is {found}, not {expected}"));
                }
            }
            for (key, expected) in &row.origins {
                let found = effective.origins.of(key).to_string();
                if !found.ends_with(expected.as_str()) {
                    return Err(format!("{key} comes from {found}, not {expected}"));
                }
            }
            let remarks: Vec<String> = effective.remarks.iter().map(ToString::to_string).collect();
            match &row.remarks_at_least {
                Some(expected) => pair(expected, &remarks, false),
                None => pair(&row.remarks, &remarks, true),
            }
        }
    }
}

#[test]
fn every_row() {
    let table = table();
    let ids: BTreeSet<&str> = table.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), table.rows.len(), "an id is given twice");
    let failed: Vec<String> = table
        .rows
        .iter()
        .filter_map(|row| check(row).err().map(|reason| format!("{}: {reason}", row.id)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn nest(key: &str, value: &Value) -> String {
    let nested = key.rsplit('.').fold(value.clone(), |value, part| json!({part: value}));
    nested.to_string()
}

#[test]
fn narrowing_of_every_key() {
    let mut failed = Vec::new();
    for (key, operator, project, expected) in table().narrowing {
        let base = tempfile::tempdir().unwrap();
        let (root, state) = (base.path().join("project"), base.path().join("state"));
        fs::create_dir_all(root.join(".agents")).unwrap();
        fs::write(root.join(".agents/config.json"), nest(&key, &project)).unwrap();
        let user = base.path().join("user.json");
        fs::write(
            &user,
            if operator.is_null() {
                "{}".to_owned()
            } else {
                nest(&key, &operator)
            },
        )
        .unwrap();
        let options = DiscoverOptions {
            user_file: Some(user),
            ..options(&root, &state)
        };
        match Layers::discover(&options) {
            Ok(effective) => {
                let found = value(&effective, &key);
                let unset = found.is_null() || found == json!(0);
                if found != expected && !(expected.is_null() && unset) {
                    failed.push(format!("{key} {operator} {project}: {found}, not {expected}"));
                }
                let is_taken = effective
                    .origins
                    .iter()
                    .any(|(_, origin)| origin.to_string().contains(".agents"));
                let is_said = effective
                    .remarks
                    .iter()
                    .any(|remark| remark.text.contains("not trusted"));
                let is_dropped = key == "permissions.require_plan_artifact";
                if is_taken == is_said && !is_dropped {
                    failed.push(format!(
                        "{key} {operator} {project}: taken or passed over with a word, never both or neither"
                    ));
                }
            }
            Err(errors) => failed.push(format!("{key} {operator} {project}: {errors}")),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Every key of the schema that is no section.
fn schema_keys(root: &Value, schema: &Value, path: &str, out: &mut BTreeSet<String>) {
    let schema = schema["$ref"]
        .as_str()
        .map_or(schema, |target| root.pointer(&target[1..]).unwrap());
    let below = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}.{name}")
        }
    };
    if let Some(properties) = schema["properties"].as_object() {
        properties
            .iter()
            .for_each(|(name, part)| schema_keys(root, part, &below(name), out));
    } else if schema["additionalProperties"].is_object() {
        schema_keys(root, &schema["additionalProperties"], &below("*"), out);
    } else {
        out.insert(path.to_owned());
    }
}

#[test]
fn narrowing_covers_the_schema() {
    let schema = config::schema();
    let mut keys = BTreeSet::new();
    schema_keys(&schema, &schema, "", &mut keys);
    for foreign in [
        "$schema",
        "attach",
        "model",
        "otel",
        "pricing",
        "compaction",
        "ui",
        "mock",
    ] {
        assert!(keys.remove(foreign), "{foreign}");
    }
    let rows = table().narrowing;
    let fits = |pattern: &str, key: &str| {
        let (pattern, key): (Vec<_>, Vec<_>) = (pattern.split('.').collect(), key.split('.').collect());
        pattern.len() == key.len()
            && pattern
                .iter()
                .zip(&key)
                .all(|(pattern, name)| *pattern == "*" || pattern == name)
    };
    let missing: Vec<&String> = keys
        .iter()
        .filter(|key| !rows.iter().any(|row| fits(key, &row.0)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
