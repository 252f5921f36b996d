//! The gate: its key is the target's name.

use serde_json::{Value, json};
use toolgate::config::PlanMode;
use toolgate::gate::PromptKind;
use toolgate::{Decision, ErrorKind, Mode};
use toolgate_tests::net::HookServer;

use crate::operator::Operator;
use crate::stage::{Setup, Stage, fire, fire_with};

/// Two targets, told apart by what the server receives.
fn two(mode: Mode, server: &HookServer) -> Setup {
    let target = |name: &str| json!({"name": name, "template": "generic", "url": server.url(&format!("/{name}"))});
    Setup::targets(json!([target("ops"), target("dev")])).mode(mode)
}

#[tokio::test]
async fn a_denied_target_is_denied_in_every_mode() {
    for mode in Mode::ALL {
        let server = HookServer::start([]);
        let stage = two(mode, &server)
            .config(|config| {
                config.permissions.allow = vec!["alert:*".to_owned()];
                config.permissions.deny = vec!["alert:ops".to_owned()];
            })
            .start();
        let operator = Operator::who_says(Decision::Once);
        let session = stage.session_of(operator.session());
        let error = fire(&session, "ops").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{mode}: {error}");
        assert!(error.message.contains("alert:ops"), "{mode}: {error}");
        assert!(operator.asked().is_empty() && server.received().is_empty(), "{mode}");
        let other = fire(&session, "dev").await;
        assert_eq!(other.is_ok(), mode != Mode::Plan, "{mode}: {other:?}");
        assert_eq!(
            server.recorder().targets(),
            if mode == Mode::Plan { vec![] } else { vec!["/dev"] },
            "{mode}"
        );
    }
}

#[tokio::test]
async fn the_operator_is_asked_about_the_target() {
    for mode in [Mode::Ask, Mode::AcceptEdits] {
        let server = HookServer::start([]);
        let stage = two(mode, &server).start();
        let operator = Operator::who_says(Decision::Deny);
        let session = stage.session_of(operator.session());
        let error = fire(&session, "ops").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{error}");
        assert!(server.recorder().connections().is_empty(), "{mode}");

        let asked = operator.asked();
        let [question] = &asked[..] else {
            panic!("{mode}: {asked:?}");
        };
        assert_eq!(
            (question.tool.as_str(), question.operation, question.detail.as_str()),
            ("alert", "call", "ops")
        );
        assert_eq!(question.kind, PromptKind::Generic);
        let arguments: Value = serde_json::from_str(&question.arguments).unwrap();
        assert_eq!(
            arguments,
            json!({"target": "ops", "level": "critical", "summary": "disk full"}),
            "the operator sees what would be sent"
        );
        assert!(!format!("{question:?}").contains("127.0.0.1"), "{question:?}");
    }
}

#[tokio::test]
async fn a_grant_covers_what_was_asked_and_nothing_else() {
    let server = HookServer::start([]);
    let stage = two(Mode::Ask, &server).start();
    let operator = Operator::who_says(Decision::Session);
    let session = stage.session_of(operator.session());
    for _ in 0..3 {
        fire(&session, "ops").await.unwrap();
    }
    assert_eq!(operator.details(), ["ops"]);
    fire(&session, "dev").await.unwrap();
    fire(&session, "ops").await.unwrap();
    assert_eq!(operator.details(), ["dev"]);
    // Another session has no grants.
    fire(&stage.session_of(operator.session()), "ops").await.unwrap();
    assert_eq!(operator.details(), ["ops"]);
    assert_eq!(server.received().len(), 6);

    let operator = Operator::who_says(Decision::SessionTool);
    let session = stage.session_of(operator.session());
    fire(&session, "ops").await.unwrap();
    fire(&session, "dev").await.unwrap();
    assert_eq!(operator.details(), ["ops"], "the whole tool was granted");

    let operator = Operator::who_says(Decision::Once);
    let session = stage.session_of(operator.session());
    fire(&session, "ops").await.unwrap();
    fire(&session, "ops").await.unwrap();
    assert_eq!(operator.details(), ["ops", "ops"]);
}

/// Nobody is asked about what cannot be sent.
#[tokio::test]
async fn what_cannot_be_sent_is_no_question() {
    let server = HookServer::start([]);
    let stage = two(Mode::Ask, &server).start();
    let operator = Operator::who_says(Decision::Once);
    let session = stage.session_of(operator.session());
    for arguments in [
        json!({"target": "nobody", "level": "info", "summary": "s"}),
        json!({"target": "ops ", "level": "info", "summary": "s"}),
        json!({"target": "OPS", "level": "info", "summary": "s"}),
        json!({"target": ["ops"], "level": "info", "summary": "s"}),
        json!({"target": "ops", "level": "urgent", "summary": "s"}),
        json!({"target": "ops", "level": "info", "summary": " "}),
        json!({"target": "ops", "level": "info", "summary": "s", "details": []}),
        json!({"target": "ops", "level": "info", "summary": "s", "headers": {}}),
    ] {
        let error = fire_with(&session, arguments.clone()).await.unwrap_err();
        assert!(
            [ErrorKind::InvalidArguments, ErrorKind::NotFound].contains(&error.kind),
            "{arguments}: {error}"
        );
    }
    assert!(operator.asked().is_empty());
    assert!(server.recorder().connections().is_empty());
}

#[tokio::test]
async fn alerts_wait_for_a_plan_where_one_is_required() {
    let server = HookServer::start([]);
    let stage = two(Mode::Yolo, &server)
        .config(|config| config.permissions.plan_mode = Some(PlanMode::Required))
        .start();
    let operator = Operator::who_says(Decision::Once);
    let session = stage.session_of(operator.session());
    let waits = async |stage: &Stage| {
        let error = fire(&session, "ops").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{error}");
        assert!(error.message.contains("record_plan"), "{error}");
        assert!(stage.audit().contains("plan"));
    };
    waits(&stage).await;
    assert!(server.received().is_empty());
    let tools = stage.rig.host.tools();
    let plans = tools.iter().find(|tool| tool.name == "record_plan").unwrap();
    assert!(plans.description.contains("alert"), "{}", plans.description);
    session.record_plan("Tell the operators.").unwrap();
    fire(&session, "ops").await.unwrap();
    session.replan().unwrap();
    waits(&stage).await;
    assert_eq!(server.received().len(), 1);
    assert!(operator.asked().is_empty());
}
