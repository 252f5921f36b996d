//! Questions that nobody answers in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::gate::{Asked, PromptRequest, Prompter, Request};
use toolgate::{Call, Config, ErrorKind, Mode, SessionOptions};
use toolgate_tests::rig::Rig;

/// Nobody ever answers.
struct Silence;

impl Prompter for Silence {
    fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
        Box::pin(std::future::pending())
    }
}

fn session(timeout: Option<u32>) -> (Rig, toolgate::Session) {
    let mut config = Config::default();
    config.permissions.prompt_timeout_seconds = timeout;
    let rig = Rig::with_config(config, |_| {}, |builder| builder.mode(Mode::Ask));
    let session = rig.host.session(SessionOptions {
        prompter: Some(Arc::new(Silence)),
        ..SessionOptions::default()
    });
    (rig, session)
}

#[tokio::test]
async fn no_answer_is_a_refusal_that_names_the_time() {
    let (_rig, session) = session(Some(1));
    let error = session.check(&Request::Command("make")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied);
    assert_eq!(error.rule.unwrap().id, "prompt.timeout");
    assert!(error.message.contains("within 1 s"), "{}", error.message);
}

/// The clock of questions is the host's, so that no runtime of the caller is needed.
#[test]
fn callers_without_a_runtime_time_out_too() {
    let (rig, session) = session(Some(1));
    let path = rig.inside().join("a");
    let call = Call::new("write_file", json!({"path": path.to_str().unwrap(), "content": ""}));
    let error = session.call_blocking(call).unwrap_err();
    assert_eq!(error.rule.unwrap().id, "prompt.timeout");
    assert!(!path.exists());
}

/// A question counts against no deadline of the call.
#[tokio::test]
async fn the_deadline_of_the_call_does_not_run_while_somebody_thinks() {
    let (rig, session) = session(Some(2));
    let path = rig.inside().join("a");
    let call = Call::new("write_file", json!({"path": path.to_str().unwrap(), "content": ""}));
    let started = Instant::now();
    let error = session
        .call(call.deadline(Duration::from_millis(300)))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied, "{error}");
    assert!(started.elapsed() > Duration::from_secs(1));
}
