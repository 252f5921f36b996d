//! A component that sends on its own, through channels that it was granted and through others.

use serde_json::{Map, Value, json};
use toolgate::{Call, Decision, ErrorKind, Mode};
use toolgate_tests::net::HookServer;
use toolgate_tests::rig::guest;

use crate::operator::Operator;
use crate::stage::{Setup, Stage};

fn stage(server: &HookServer, other: &HookServer) -> Setup {
    Setup::targets(json!([
        {"name": "ops", "template": "generic", "url": server.url("/s3cret-path"), "auth": {"bearer_env": "TOKEN"},
         "allow_http": true, "description": "the operators"},
        {"name": "page", "template": "pagerduty_events_v2", "url": other.url("/s3cret-path"),
         "auth": {"bearer_env": "KEY"}, "allow_http": true},
        {"name": "dead", "template": "generic", "url_env": "NOT_SET"},
    ]))
    .variable("TOKEN", "s3cret-token")
    .variable("KEY", "R-KEY")
    .builder(|builder| builder.plugin(guest("dialer")))
}

async fn dial(stage: &Stage, arguments: Value) -> Map<String, Value> {
    let result = stage.rig.call("dial_channel", arguments).await.unwrap();
    let text = Value::Object(result.clone()).to_string();
    for secret in ["s3cret", "R-KEY", "127.0.0.1"] {
        assert!(!text.contains(secret), "{text}");
    }
    result
}

#[tokio::test]
async fn only_granted_channels_can_be_sent_to() {
    let (server, other) = (HookServer::start([]), HookServer::start([]));
    let stage = stage(&server, &other).start();
    for (granted, channel) in [
        (None, "ops"),
        (Some("page"), "ops"),
        (Some("page"), "OPS"),
        (Some("page"), "page "),
        (Some("page"), "page\0"),
        (Some("page"), ""),
        (Some("page"), "dead"),
        (Some("page"), &server.url("/s3cret")),
    ] {
        let mut arguments = json!({"channel": channel, "message": "{}"});
        if let Some(granted) = granted {
            arguments["granted"] = granted.into();
        }
        let result = dial(&stage, arguments).await;
        assert_eq!(
            result["outcomes"][0]["failure"]["kind"], "denied",
            "{channel:?}: {result:?}"
        );
    }
    assert!(server.recorder().connections().is_empty());
    assert!(other.recorder().connections().is_empty());

    let sent = dial(
        &stage,
        json!({"granted": "ops", "channel": "ops", "message": "{\"a\":1}"}),
    )
    .await;
    assert_eq!(sent["outcomes"][0]["status"], 200, "{sent:?}");
    let requests = server.received();
    assert_eq!(requests[0].header("authorization"), Some("Bearer s3cret-token"));
    assert_eq!(requests[0].json().unwrap(), json!({"a": 1}));
    assert!(other.recorder().connections().is_empty());
}

#[tokio::test]
async fn what_is_granted_must_exist_and_be_live() {
    let (server, other) = (HookServer::start([]), HookServer::start([]));
    let stage = stage(&server, &other).start();
    for granted in ["dead", "nobody"] {
        let arguments = json!({"granted": granted, "channel": "ops", "message": "{}"});
        let error = stage.rig.call("dial_channel", arguments).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound, "{error}");
        assert!(
            error.message.contains(granted) && error.message.contains("ops, page"),
            "{error}"
        );
    }
    assert!(server.recorder().connections().is_empty());
}

#[tokio::test]
async fn only_objects_are_messages_and_the_key_is_the_hosts() {
    let (server, other) = (HookServer::start([]), HookServer::start([]));
    let stage = stage(&server, &other).start();
    for message in ["", "x", "[]", "1", "null", "{\"a\":1", "{}{}"] {
        let result = dial(
            &stage,
            json!({"granted": "page", "channel": "page", "message": message}),
        )
        .await;
        assert_eq!(
            result["outcomes"][0]["failure"]["kind"], "invalid",
            "{message}: {result:?}"
        );
    }
    let long = format!("{{\"k\":\"{}\"}}", "x".repeat(64 << 10));
    let result = dial(&stage, json!({"granted": "page", "channel": "page", "message": long})).await;
    assert_eq!(result["outcomes"][0]["failure"]["kind"], "limit", "{result:?}");
    assert!(other.recorder().connections().is_empty());

    let forged = json!({"routing_key": "forged", "payload": {"summary": "s"}}).to_string();
    dial(&stage, json!({"granted": "page", "channel": "page", "message": forged})).await;
    let body = other.received()[0].json().unwrap();
    assert_eq!(body, json!({"routing_key": "R-KEY", "payload": {"summary": "s"}}));
}

#[tokio::test]
async fn many_messages_of_one_call_count_one_by_one() {
    let (server, other) = (HookServer::start([]), HookServer::start([]));
    let stage = stage(&server, &other).limit("5/hour").start();
    let result = dial(
        &stage,
        json!({"granted": "ops", "channel": "ops", "message": "{}", "repeat": 20}),
    )
    .await;
    assert_eq!(result["counts"], json!({"200": 5, "limit": 15}));
    assert_eq!(server.received().len(), 5);
    let record = stage.last_record();
    let requests = record["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 5, "{record}");
    for request in requests {
        assert_eq!((&request["method"], &request["status"]), (&json!("POST"), &json!(200)));
        assert_eq!(request["address"], server.address().to_string());
    }
    let text = record.to_string();
    assert!(!text.contains("s3cret"), "{text}");
}

/// Rules and questions are those of the tool that sends.
#[tokio::test]
async fn the_gate_knows_which_tool_sends() {
    let (server, other) = (HookServer::start([]), HookServer::start([]));
    let stage = stage(&server, &other)
        .mode(Mode::Ask)
        .config(|config| {
            config.permissions.allow = vec!["alert:*".to_owned()];
            config.permissions.deny = vec!["dial_channel:page".to_owned()];
        })
        .start();
    let operator = Operator::who_says(Decision::Once);
    let session = stage.session_of(operator.session());
    let call = |granted: &str| {
        let arguments = json!({"granted": granted, "channel": granted, "message": "{}"});
        session.call(Call::new("dial_channel", arguments))
    };
    let error = call("page").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied, "{error}");
    assert!(error.message.contains("dial_channel:page"), "{error}");
    assert!(operator.asked().is_empty());
    call("ops").await.unwrap();
    let asked = operator.asked();
    assert_eq!(
        (asked[0].tool.as_str(), asked[0].detail.as_str()),
        ("dial_channel", "ops")
    );
    assert_eq!(server.received().len(), 1);
    assert!(other.recorder().connections().is_empty());
}
