//! What callers and operators are told of the targets.

use serde_json::{Value, json};
use toolgate_tests::net::HookServer;
use toolgate_tests::rig::Rig;

use crate::stage::{Setup, fire};

fn target(name: &str, url_env: &str, description: &str) -> Value {
    json!({"name": name, "template": "slack", "url_env": url_env, "description": description})
}

#[tokio::test]
async fn live_targets_are_listed_in_the_order_of_the_configuration() {
    let server = HookServer::start([]);
    let stage = Setup::targets(json!([
        target("zulu", "HOOK", "a human, now"),
        target("gone", "NOT_SET", "nobody hears this"),
        target("alfa", "HOOK", ""),
        target("bad", "BAD", "nor this"),
        target("mike", "HOOK", "the log of\n the day"),
    ]))
    .variable("HOOK", &server.url("/secret-path"))
    .variable("BAD", "mailto:ops@hooks.example")
    .start();
    let description = stage.description();
    let list = description.split_once("targets:\n").unwrap().1;
    assert_eq!(list, "zulu: a human, now\nalfa\nmike: the log of the day");
    for secret in ["secret-path", "127.0.0.1", "HOOK", "BAD", "nobody", "hooks.example"] {
        assert!(!description.contains(secret), "{secret}: {description}");
    }
    for (dead, variable) in [("gone", "NOT_SET"), ("bad", "BAD")] {
        let lines: Vec<&str> = stage.beginning.lines().filter(|line| line.contains(dead)).collect();
        let [line] = lines[..] else {
            panic!("{dead}: {}", stage.beginning);
        };
        assert!(line.starts_with("WARN") && line.contains(variable), "{line}");
        assert!(!line.contains("hooks.example"), "{line}");
    }
    // What is set later is found by the next host.
    stage.environment.set("NOT_SET", &server.url("/now"));
    fire(&stage.session(), "gone").await.unwrap_err();
    assert!(server.recorder().connections().is_empty());
}

#[test]
fn without_a_live_target_there_is_no_tool_and_one_line_says_so() {
    let stage = Setup::targets(json!([target("gone", "NOT_SET", ""), target("lost", "UNSET", "")])).start();
    assert!(!stage.rig.host.has_tool("alert"));
    assert!(stage.rig.host.tools().iter().all(|tool| tool.name != "alert"));
    let lines: Vec<&str> = stage
        .beginning
        .lines()
        .filter(|line| line.contains("nobody can be alerted"))
        .collect();
    assert_eq!(lines.len(), 1, "{}", stage.beginning);
    assert_eq!(stage.beginning.matches("is left out").count(), 2, "{}", stage.beginning);
}

#[test]
fn without_targets_nothing_is_said() {
    let stage = Setup::targets(json!([])).start();
    assert!(!stage.rig.host.has_tool("alert"));
    assert!(!stage.beginning.contains("alert"), "{}", stage.beginning);
    // Nor in a host that was never configured.
    assert!(!Rig::new(|_| {}, |builder| builder).host.has_tool("alert"));
}

#[test]
fn a_disabled_tool_is_not_there() {
    let server = HookServer::start([]);
    let stage = Setup::named(&["ops"], &server)
        .config(|config| config.tools.disable = vec!["alert".to_owned()])
        .start();
    assert!(!stage.rig.host.has_tool("alert"));
}

#[test]
fn the_schema_has_no_place_for_an_address() {
    let server = HookServer::start([]);
    let stage = Setup::named(&["ops"], &server).start();
    let tools = stage.rig.host.tools();
    let tool = tools.iter().find(|tool| tool.name == "alert").unwrap();
    let properties = tool.input_schema["properties"].as_object().unwrap();
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["details", "level", "summary", "target"]);
    assert!(tool.class.open_world && !tool.class.read_only && !tool.class.idempotent);
}
