//! Tools of other sets behind the gate.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use toolgate::config::PlanMode;
use toolgate::session::{Called, ForeignTool, GateToolset, Toolset};
use toolgate::{Config, Decision, ErrorKind, Mode, SessionOptions};
use toolgate_tests::rig::Rig;

use super::operator::Operator;

/// A set that says what it was called with, and counts.
#[derive(Clone, Default)]
struct Server {
    calls: Arc<AtomicUsize>,
}

impl Toolset for Server {
    fn tools(&self) -> Vec<ForeignTool> {
        let tool = |name: &str, read_only| ForeignTool {
            name: name.to_owned(),
            description: format!("What {name} does."),
            input_schema: json!({"type": "object"}),
            read_only,
        };
        vec![
            tool("fs_delete", None),
            tool("fs_look", Some(true)),
            tool("grep", None),
            tool("stat", Some(false)),
        ]
    }

    fn call<'a>(&'a self, tool: &'a str, arguments: Map<String, Value>) -> Called<'a> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { Ok(json!({"tool": tool, "arguments": arguments})) })
    }
}

fn rig(configure: impl FnOnce(&mut Config)) -> Rig {
    let mut config = Config::default();
    configure(&mut config);
    let mode = config.permissions.mode;
    Rig::with_config(config, |_| {}, |builder| builder.mode(mode))
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[tokio::test]
async fn names_schemas_and_hints_are_those_of_the_set() {
    let rig = rig(|_| {});
    let gated = GateToolset::new(rig.session(), "mcp", Server::default());
    assert_eq!(gated.tools(), Server::default().tools());
}

#[tokio::test]
async fn every_call_is_decided_before_the_set_hears_of_it() {
    let rig = rig(|config| config.permissions.deny = vec!["mcp:fs_delete".to_owned()]);
    let server = Server::default();
    let operator = Arc::new(Operator::default());
    let session = rig.host.session(SessionOptions {
        prompter: operator.prompter(),
        ..SessionOptions::default()
    });
    let gated = GateToolset::new(session, "mcp", server.clone());

    let error = gated.call("fs_delete", object(json!({"path": "x"}))).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied);
    assert_eq!(error.rule.unwrap().id, "permissions.deny[0]");

    operator.says(Ok(Decision::Deny));
    let error = gated.call("fs_look", object(json!({"path": "x"}))).await.unwrap_err();
    assert!(error.message.contains("fs_look"), "{error}");
    let question = operator.asked().remove(0);
    assert_eq!(question.detail, r#"fs_look {"path":"x"}"#);
    assert_eq!(server.calls.load(Ordering::SeqCst), 0);

    operator.says(Ok(Decision::SessionTool));
    let arguments = object(json!({"path": "y"}));
    let answer = gated.call("fs_look", arguments.clone()).await.unwrap();
    assert_eq!(answer, json!({"tool": "fs_look", "arguments": arguments}));
    gated.call("fs_look", object(json!({"path": "z"}))).await.unwrap();
    assert_eq!(operator.asked().len(), 1, "the second call is covered");
    assert_eq!(server.calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_tool_that_the_set_lacks_is_an_error_with_the_nearest_name() {
    let rig = rig(|config| config.permissions.mode = Mode::Yolo);
    let server = Server::default();
    let gated = GateToolset::new(rig.session(), "mcp", server.clone());
    let error = gated.call("fs_delte", Map::new()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(error.message.contains("fs_delete"), "{error}");
    assert_eq!(server.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn before_a_plan_only_reading_tools_pass() {
    let rig = rig(|config| {
        config.permissions.mode = Mode::Yolo;
        config.permissions.plan_mode = Some(PlanMode::Required);
    });
    let gated = GateToolset::new(rig.session(), "mcp", Server::default());
    for (tool, passes) in [
        ("fs_look", true),
        ("fs_delete", false),
        // By its name, since it says nothing itself.
        ("grep", true),
        // Its own word counts more than its name.
        ("stat", false),
    ] {
        let outcome = gated.call(tool, Map::new()).await;
        assert_eq!(outcome.is_ok(), passes, "{tool}: {outcome:?}");
    }
    let skills = GateToolset::new(rig.session(), "skill", Server::default());
    skills.call("fs_delete", Map::new()).await.unwrap();
}

#[tokio::test]
async fn rules_about_another_namespace_do_not_count() {
    let rig = rig(|config| {
        config.permissions.mode = Mode::Allow;
        config.permissions.allow = vec!["mcp:fs_look".to_owned()];
    });
    let other = GateToolset::new(rig.session(), "other", Server::default());
    assert!(other.call("fs_look", Map::new()).await.is_err());
    let mcp = GateToolset::new(rig.session(), "mcp", Server::default());
    assert!(mcp.call("fs_look", Map::new()).await.is_ok());
}
