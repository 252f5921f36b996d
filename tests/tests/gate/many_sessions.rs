//! Many sessions of one host at the same time: what one is granted, no other has.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::json;
use toolgate::gate::Request;
use toolgate::{Call, Config, Decision, ErrorKind, Host, Mode, Session, SessionOptions};
use toolgate_tests::rig::Rig;

use super::operator::Operator;

/// Sessions at the same time, half as many again as the host runs guests by default.
const SESSIONS: u64 = 96;
/// Requests of each.
const REQUESTS: usize = 150;
/// Different commands, files and servers' tools that all sessions ask for: so few that they meet.
const THINGS: u64 = 12;

/// What one session may do without asking, told apart from the gate.
#[derive(Default)]
struct Model {
    exact: HashSet<String>,
    tools: HashSet<&'static str>,
    refused: HashSet<String>,
    denied: HashSet<String>,
    mode: Mode,
}

/// What a request must lead to.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Expected {
    Passes,
    IsAsked,
    IsRefused,
}

impl Model {
    fn expects(&self, tool: &'static str, key: &str) -> Expected {
        let whole = format!("{tool}:{key}");
        if self.denied.contains(&whole) || self.mode == Mode::Plan {
            Expected::IsRefused
        } else if self.exact.contains(&whole) || self.tools.contains(tool) || self.mode == Mode::Yolo {
            Expected::Passes
        } else if self.mode == Mode::Allow || self.refused.contains(&whole) {
            Expected::IsRefused
        } else {
            Expected::IsAsked
        }
    }

    fn learns(&mut self, tool: &'static str, key: &str, answer: Decision) {
        let whole = format!("{tool}:{key}");
        match answer {
            Decision::Deny => {
                self.refused.insert(whole);
            }
            Decision::Session => {
                self.exact.insert(whole);
            }
            Decision::SessionTool => {
                self.exact.insert(whole);
                self.tools.insert(tool);
            }
            _ => {}
        }
    }
}

/// A small generator, so that a failure can be repeated from the session's number.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        // splitmix64 (Steele, Lea, Flood 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

async fn request(session: &Session, tool: &'static str, key: &str) -> Result<(), toolgate::CallError> {
    match tool {
        "bash" => session.check(&Request::Command(key)).await.map(drop),
        "write_file" => {
            let call = Call::new(tool, json!({"path": key, "content": "x"}));
            session.call(call).await.map(drop)
        }
        _ => session.check(&Request::Key { tool, key }).await.map(drop),
    }
}

async fn one_session(host: Host, number: u64, project: String) -> Result<usize, String> {
    let operator = Arc::new(Operator::default());
    let session = host.session(SessionOptions {
        prompter: operator.prompter(),
        ..SessionOptions::default()
    });
    let mut model = Model::default();
    let mut draw = Draw(number);
    let mut questions = 0;
    for turn in 0..REQUESTS {
        match draw.below(40) {
            0 => {
                let mode = [Mode::Ask, Mode::Allow, Mode::Yolo, Mode::Plan][draw.below(4) as usize];
                session.set_mode(mode);
                model.mode = mode;
            }
            1 => {
                let command = format!("run-{}", draw.below(THINGS));
                session
                    .deny(&format!("bash:{command}"))
                    .map_err(|error| error.to_string())?;
                model.denied.insert(format!("bash:{command}"));
            }
            _ => {}
        }
        let thing = draw.below(THINGS);
        let (tool, key) = match draw.below(8) {
            0 => ("write_file", format!("{project}/f{thing}")),
            1..=3 => ("alert", format!("target-{thing}")),
            _ => ("bash", format!("run-{thing}")),
        };
        let answer = match draw.below(24) {
            0 => Decision::SessionTool,
            1..=6 => Decision::Session,
            7..=11 => Decision::Deny,
            _ => Decision::Once,
        };
        operator.says(Ok(answer));
        let expected = model.expects(tool, &key);
        let outcome = request(&session, tool, &key).await;
        let asked = operator.asked().len();
        questions += asked;
        let fits = match (&outcome, asked) {
            (Ok(()), 0) => expected == Expected::Passes,
            (Err(error), 0) if error.kind == ErrorKind::Denied => expected == Expected::IsRefused,
            (Ok(()), 1) => expected == Expected::IsAsked && answer != Decision::Deny,
            (Err(error), 1) if error.kind == ErrorKind::Denied => {
                expected == Expected::IsAsked && answer == Decision::Deny
            }
            _ => false,
        };
        if !fits {
            return Err(format!(
                "session {number}, request {turn}, {tool} {key}: {outcome:?} after {asked} questions, expected {expected:?}"
            ));
        }
        if expected == Expected::IsAsked {
            model.learns(tool, &key, answer);
        }
    }
    Ok(questions)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_grant_reaches_another_session() {
    let rig = Rig::with_config(Config::default(), |_| {}, |builder| builder.mode(Mode::Ask));
    let project = rig.inside().to_str().unwrap().to_owned();
    let sessions: Vec<_> = (0..SESSIONS)
        .map(|number| tokio::spawn(one_session(rig.host.clone(), number, project.clone())))
        .collect();
    let mut questions = 0;
    for session in sessions {
        questions += session.await.unwrap().unwrap();
    }
    assert!(questions > 1000, "the sessions hardly asked: {questions}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn equal_requests_of_one_session_are_asked_once() {
    let rig = Rig::with_config(Config::default(), |_| {}, |builder| builder.mode(Mode::Ask));
    let operator = Arc::new(Operator::default());
    operator.says(Ok(Decision::Session));
    let session = rig.host.session(SessionOptions {
        prompter: operator.prompter(),
        ..SessionOptions::default()
    });
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let session = session.clone();
            tokio::spawn(async move { session.check(&Request::Command("make")).await.map(drop) })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!(operator.asked().len(), 1);
}
