//! The published schema, by a validator that is not ours.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::stage::Stage;

/// Rows of wrong files that the schema admits: what is wrong is beyond shapes.
const BEYOND: &[&str] = &[
    "A-auth-both",
    "A-auth-empty",
    "A-auth-half",
    "A-auth-needed",
    "A-conversation",
    "A-http",
    "A-no-conversation",
    "A-no-template",
    "A-no-url",
    "A-rate",
    "A-twice",
    "A-url",
    "A-url-form",
    "C11",
    "C13-differ",
    "C13-none",
    "C16",
    "C16-ftp",
    "C16-host",
    "C16-user",
    "C18",
    "C2",
    "C22",
    "C9",
    "C9-deny",
    "D28-case",
    "H6",
    "N-foreign-toml",
    "N-toml",
    "NAT64",
    "NS-1",
    "P-empty",
    "S13",
    "S17",
    "S20",
    "S21",
    "S22",
    "S23",
    "S24",
    "S25",
    "TN-1",
    "TN-2",
    "U27",
    "U5",
];

/// Rows that load although the schema does not admit them: unknown keys of shared files, and an empty mode.
const LENIENT: &[&str] = &["C3", "C7", "D28-elsewhere", "E-core-agent"];

fn published() -> Value {
    let stage = Stage::new(&[]);
    let done = stage.run(&["config", "schema"]);
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""), "{done:?}");
    serde_json::from_str(&done.stdout).unwrap()
}

fn parsed(name: &str, text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    if name.ends_with(".toml") {
        toml::from_str(text).ok()
    } else {
        serde_json::from_str(text).ok()
    }
}

#[test]
fn it_agrees_with_loading() {
    let schema = published();
    jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("it is no schema: {error}"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let table: Value = serde_json::from_str(include_str!("../../vectors/config.json")).unwrap();
    let (mut beyond, mut lenient, mut seen) = (BTreeSet::new(), BTreeSet::new(), 0);
    for row in table["rows"].as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        let mut files: Vec<(String, String)> = Vec::new();
        for part in ["files", "project"] {
            for (name, text) in row[part].as_object().into_iter().flatten() {
                files.push((name.clone(), text.as_str().unwrap().to_owned()));
            }
        }
        // With several files or with flags it is not said which is wrong.
        let [(name, text)] = files.as_slice() else { continue };
        let Some(value) = parsed(name, text).filter(|_| row["flags"].is_null() && row["tools"].is_null()) else {
            continue;
        };
        seen += 1;
        match (row["errors"].is_null(), validator.is_valid(&value)) {
            (true, false) => drop(lenient.insert(id)),
            (false, true) => drop(beyond.insert(id)),
            _ => {}
        }
    }
    assert!(seen > 60, "{seen}");
    assert_eq!(beyond, BEYOND.iter().copied().collect(), "wrong and admitted");
    assert_eq!(lenient, LENIENT.iter().copied().collect(), "loaded and not admitted");
}

#[test]
fn it_admits_what_is_printed_and_knows_the_examples() {
    let validator = jsonschema::validator_for(&published()).unwrap();
    let stage = Stage::new(&[]);
    let whole = stage.effective(&["--allow", "write_file:a", "--allow-path", "/x:r"], "");
    assert!(
        validator.is_valid(&whole),
        "{:?}",
        validator.iter_errors(&whole).map(|e| e.to_string()).collect::<Vec<_>>()
    );
    assert!(!validator.is_valid(&json!({"permissions": {"mdoe": "ask"}})));
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut examples = 0;
    for document in ["README.md", "docs/configuration.md"] {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        for (fence, name) in [("```toml\n", "x.toml"), ("```json\n", "x.json")] {
            for block in text.split(fence).skip(1) {
                let value =
                    parsed(name, block.split("```").next().unwrap()).unwrap_or_else(|| panic!("{document}: {block}"));
                if value.get("mcpServers").is_some() {
                    continue;
                }
                examples += 1;
                let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{document}: {errors:?}");
            }
        }
    }
    assert!(examples >= 2, "{examples}");
}
