//! A tool that may send requests of its own is asked about under the key `network`, once per call.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolgate::gate::{Answer, Asked, Outcome};
use toolgate::{Call, CallError, Decision, ErrorKind, Mode, PromptRequest, Prompter, SessionOptions};
use toolgate_tests::net::ScriptServer;
use toolgate_tests::rig::{self, Rig};

use crate::stage::{page, scoped};

/// An operator who gives one answer and notes the questions.
struct Operator {
    answer: Mutex<Decision>,
    asked: Mutex<Vec<(String, String, String)>>,
}

impl Operator {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            answer: Mutex::new(Decision::Deny),
            asked: Mutex::default(),
        })
    }

    fn says(&self, answer: Decision) {
        *self.answer.lock().unwrap() = answer;
    }

    /// Tools, operations and keys of the questions since the last look.
    fn asked(&self) -> Vec<(String, String, String)> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl Prompter for Operator {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        let question = (
            request.tool.clone(),
            request.operation.to_owned(),
            request.detail.clone(),
        );
        self.asked.lock().unwrap().push(question);
        let answer = *self.answer.lock().unwrap();
        Box::pin(async move { Ok(Answer::from(answer)) })
    }
}

/// A server with a host that may reach it, in a mode and with rules.
struct Scene {
    server: ScriptServer,
    rig: Rig,
}

impl Scene {
    fn new(mode: Mode, allow: &[&str], deny: &[&str]) -> Self {
        let server = ScriptServer::start(|_| page());
        let entry = format!("http://{}", server.address());
        let mut config = scoped(&[&entry], &[]);
        config.tools.network = [
            ("dial_http".to_owned(), vec![entry.clone()]),
            ("dial_http_url".to_owned(), vec![entry]),
        ]
        .into();
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        config.permissions.allow = owned(allow);
        config.permissions.deny = owned(deny);
        let rig = Rig::with_config(
            config,
            |_| {},
            |builder| builder.plugin(rig::guest("dialer")).mode(mode),
        );
        Self { server, rig }
    }

    async fn call(&self, operator: Option<&Arc<Operator>>, tool: &str, path: &str) -> Result<Value, CallError> {
        let session = self.rig.host.session(SessionOptions {
            prompter: operator.map(|operator| Arc::clone(operator) as Arc<dyn Prompter>),
            ..SessionOptions::default()
        });
        let call = Call::new(tool, json!({"url": self.server.url(path)}));
        session.call(call).await.map(|result| result.value.into())
    }

    fn requests(&self) -> usize {
        self.server.recorder().requests().len()
    }
}

fn question(tool: &str, operation: &str, key: &str) -> (String, String, String) {
    (tool.to_owned(), operation.to_owned(), key.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn mode_ask_asks_for_the_network() {
    let scene = Scene::new(Mode::Ask, &[], &[]);
    let operator = Operator::new();
    let error = scene.call(Some(&operator), "dial_http", "/").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied, "{error}");
    assert_eq!(operator.asked(), [question("dial_http", "call", "network")]);
    assert_eq!(scene.requests(), 0);

    operator.says(Decision::Once);
    let report = scene.call(Some(&operator), "dial_http", "/").await.unwrap();
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
    assert_eq!(operator.asked(), [question("dial_http", "call", "network")]);
    assert_eq!(scene.requests(), 1);

    // The URL that it declares, and the network that it has beside it.
    let report = scene.call(Some(&operator), "dial_http_url", "/u").await.unwrap();
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
    let url = scene.server.url("/u");
    assert_eq!(
        operator.asked(),
        [
            question("dial_http_url", "call", &url),
            question("dial_http_url", "call", "network")
        ]
    );
    // Nobody there, nothing sent.
    let error = scene.call(None, "dial_http", "/").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied, "{error}");
    assert!(error.message.contains("network"), "{error}");
    assert_eq!(scene.requests(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn mode_plan_refuses_the_network() {
    let scene = Scene::new(Mode::Plan, &[], &[]);
    let operator = Operator::new();
    operator.says(Decision::Once);
    for tool in ["dial_http", "dial_http_url"] {
        let error = scene.call(Some(&operator), tool, "/").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{error}");
        assert!(error.message.contains("mode plan"), "{error}");
    }
    assert!(operator.asked().iter().all(|(_, _, key)| key != "network"));
    assert_eq!(scene.requests(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn mode_allow_needs_a_rule_for_the_network() {
    let operator = Operator::new();
    operator.says(Decision::Once);
    for (allow, passes) in [
        (&[][..], false),
        (&["dial_http:https://*"], false),
        (&["dial_http_url:network"], false),
        (&["dial_http:network"], true),
        (&["dial_http:*"], true),
    ] {
        let scene = Scene::new(Mode::Allow, allow, &[]);
        let outcome = scene.call(Some(&operator), "dial_http", "/").await;
        assert_eq!(outcome.is_ok(), passes, "{allow:?}: {outcome:?}");
        assert_eq!(scene.requests(), usize::from(passes), "{allow:?}");
    }
    assert_eq!(operator.asked(), [], "this mode does not ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deny_rule_for_the_network_holds_in_every_mode() {
    for mode in [Mode::Ask, Mode::Allow, Mode::Yolo] {
        let scene = Scene::new(mode, &["dial_http:network"], &["dial_http:network"]);
        let operator = Operator::new();
        operator.says(Decision::Once);
        let error = scene.call(Some(&operator), "dial_http", "/").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{error}");
        let decider = error.rule.as_ref().unwrap();
        assert!(error.message.contains("dial_http:network"), "{error} {decider:?}");
        let explained = scene.rig.session().explain("dial_http", json!({"url": "x"})).unwrap();
        assert!(
            explained.iter().any(|one| one.outcome == Outcome::Refuse),
            "{explained:?}"
        );
        assert_eq!((scene.requests(), operator.asked().len()), (0, 0));
    }
}
