//! The configuration in force, shown.

use serde_json::Value;
use toolgate::Config;
use toolgate::config::{Effective, Origin, json, rows, schema, text};

use crate::scratch::Scratch;

#[test]
fn every_value_has_an_origin() {
    let scratch = Scratch::new();
    scratch.write("user.toml", "[permissions]\nmode = 'plan'\ndeny = [\n  'a:*',\n]\n");
    scratch.write(
        "project/.agents/toolgate.toml",
        "[permissions]\ndeny = ['b:*']\nunscoped = true\n",
    );
    let effective = scratch.load().unwrap();
    let origin = |key: &str| {
        let rows = rows(&effective);
        let row = rows
            .iter()
            .find(|row| row.key == key)
            .unwrap_or_else(|| panic!("no row {key}"));
        row.origin.to_string()
    };
    assert!(origin("permissions.mode").ends_with("user.toml:2"));
    assert!(origin("permissions.deny[0]").ends_with("user.toml:4"));
    assert!(origin("permissions.deny[1]").ends_with("toolgate.toml:2"));
    assert_eq!(origin("permissions.unscoped"), "default");
    let text = text(&effective);
    for expected in [
        "permissions.mode = \"plan\"",
        "user.toml:2\n",
        "not trusted: it may only take away; 1 key passed over",
        "toolgate.toml:3: permissions.unscoped: passed over",
    ] {
        assert!(text.contains(expected), "{expected} is missing from\n{text}");
    }
    let json = json(&effective);
    assert_eq!(json["config"]["permissions"]["deny"][1], "b:*");
    assert_eq!(json["files"][1]["trusted"], false);
    assert_eq!(json["files"][1]["passed_over"][0]["key"], "permissions.unscoped");
    assert_eq!(json["values"][0]["origin"], serde_json::json!({"default": true}));
}

#[test]
fn what_is_shown_loads_again() {
    let scratch = Scratch::new();
    scratch.write("user.toml", "[permissions]\nmode = 'plan'\n[[path_scope.allow_paths]]\npath = '/x'\nmode = 'r'\n[tool_output.per_tool.grep]\nmax_lines = 3\n");
    for effective in [Effective::default(), scratch.load().unwrap()] {
        let shown = json(&effective)["config"].clone();
        let as_json = Config::from_json(&shown.to_string()).unwrap();
        let as_toml = Config::from_toml(&toml::to_string(&shown).unwrap()).unwrap();
        for again in [as_json, as_toml] {
            assert_eq!(
                serde_json::to_value(again).unwrap(),
                serde_json::to_value(&effective.config).unwrap()
            );
        }
    }
}

#[test]
fn the_schema_knows_the_defaults() {
    let schema = schema();
    assert_eq!(schema["title"], "Toolgate configuration");
    assert_eq!(schema["additionalProperties"], false);
    let limits = &schema["$defs"]["Limits"]["properties"];
    assert_eq!(limits["concurrency"]["default"], 64);
    assert_eq!(limits["concurrency"]["maximum"], 1024);
    let mode = &schema["$defs"]["Permissions"]["properties"]["mode"];
    assert_eq!(mode["enum"].as_array().map(Vec::len), Some(5));
    let unset = rows(&Effective::default());
    assert!(
        unset
            .iter()
            .all(|row| row.origin == Origin::Default && row.value != Value::Null)
    );
}
