//! When a call waits for an answer, when not, and what its deadline measures.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::stage::{PATIENCE, Stage, finish, outcome, write};

/// Longer than refusing takes, and far shorter than any patience.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn what_nobody_can_be_asked_is_refused_at_once() {
    let stage = Stage::new();
    let refused = |answer: serde_json::Value| {
        let (failed, text) = outcome(&answer);
        assert!(failed, "{answer}");
        assert_eq!(answer["result"]["structuredContent"]["kind"], "denied");
        for way in ["toolgate approvals watch", "--approvals"] {
            assert!(text.contains(way), "{way}: {text}");
        }
    };
    let mut rpc = stage.session(&[]);
    rpc.call("stat", json!({"path": "a.txt"}));
    let now = Instant::now();
    refused(rpc.request("tools/call", write("b.txt")));
    assert!(now.elapsed() < SOON);
    let server = stage.http(&[]);
    let now = Instant::now();
    refused(server.request("tools/call", write("b.txt")).message());
    assert!(now.elapsed() < SOON);
    assert_eq!(stage.tree.read("b.txt"), None);
}

#[test]
fn a_watcher_makes_calls_wait_and_answers_them() {
    let stage = Stage::new();
    let mut rpc = stage.session(&[]);
    let mut watcher = stage.connect();
    watcher.watch();
    for (name, decision, failed) in [("b.txt", "allow-once", false), ("c.txt", "deny", true)] {
        let call = rpc.begin("tools/call", write(name));
        let prompt = watcher.prompt();
        assert_eq!(prompt["tool"], "write_file");
        assert!(prompt["detail"].as_str().expect("text").ends_with(name), "{prompt}");
        assert_eq!(prompt["arguments"]["content"], "x");
        assert_eq!(stage.tree.read(name), None, "nothing has happened yet");
        assert_eq!(watcher.answer(&prompt["id"], decision)["reply"], "acknowledged");
        assert_eq!(outcome(&rpc.answer(&call.into())).0, failed, "{name}");
        assert_eq!(stage.tree.read(name).is_none(), failed);
        assert_eq!(watcher.end_of(&prompt["id"]), "answered");
    }
    // The last watcher goes while a call waits for it.
    let call = rpc.begin("tools/call", write("d.txt"));
    watcher.prompt();
    drop(watcher);
    let (failed, text) = outcome(&rpc.answer(&call.into()));
    assert!(failed && text.contains("approvals watch"), "{text}");
}

#[test]
fn the_deadline_does_not_run_while_the_operator_thinks() {
    let stage = Stage::new();
    // Compiled before, so that the deadline measures the call alone.
    stage.run(&[
        "--root",
        stage.root(),
        "--mode",
        "acceptEdits",
        "call",
        "write_file",
        r#"{"path":"w","content":""}"#,
    ]);
    let arguments = json!({"path": "b.txt", "content": "x"});
    let call = stage.call(&["--approvals", "--deadline", "1"], "write_file", &arguments);
    let id = stage.pending(1)[0]["id"].clone();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(stage.answer(&id, "y").status, Some(0));
    let (status, result) = finish(call);
    assert_eq!(status, Some(0), "{result}");
    assert_eq!(stage.tree.read("b.txt").as_deref(), Some("x"));
}

/// Row M14: calls that wait at the same time, answered in any order, get each
/// its own answer.
#[test]
fn m14_fifty_calls_at_once_get_each_its_own_answer() {
    const CALLS: usize = 50;
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    let mut watcher = stage.connect();
    watcher.watch();
    let name = |number: usize| format!("file-{number:02}.txt");
    let allowed = |number: usize| !number.is_multiple_of(3);
    let calls: Vec<i64> = (0..CALLS)
        .map(|number| rpc.begin("tools/call", write(&name(number))))
        .collect();
    let mut prompts: Vec<_> = (0..CALLS).map(|_| watcher.prompt()).collect();
    // Ids are random, and so is their order.
    prompts.sort_by_key(|prompt| prompt["id"].to_string());
    for prompt in &prompts {
        let detail = prompt["detail"].as_str().expect("text");
        let number = (0..CALLS)
            .find(|number| detail.ends_with(&name(*number)))
            .expect("one of ours");
        let decision = if allowed(number) { "allow-once" } else { "deny" };
        assert_eq!(watcher.answer(&prompt["id"], decision)["reply"], "acknowledged");
    }
    let mut answers = BTreeMap::new();
    while answers.len() < CALLS {
        let message = rpc.receive(PATIENCE).expect("every call is answered");
        answers.insert(message["id"].as_i64().expect("our id"), message);
    }
    for (number, call) in calls.into_iter().enumerate() {
        let answer = &answers[&call];
        assert_eq!(outcome(answer).0, !allowed(number), "{number}: {answer}");
        assert_eq!(stage.tree.read(&name(number)).is_some(), allowed(number), "{number}");
    }
}

/// Row M14: an approval is used once, and its id is worth nothing afterwards.
#[test]
fn m14_an_approval_cannot_be_replayed() {
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    let mut socket = stage.connect();
    socket.watch();
    let call = rpc.begin("tools/call", write("b.txt"));
    let first = socket.prompt();
    assert_eq!(socket.answer(&first["id"], "allow-once")["reply"], "acknowledged");
    assert!(!outcome(&rpc.answer(&call.into())).0);
    assert_eq!(socket.end_of(&first["id"]), "answered");
    // Exactly the same call again is another question.
    let call = rpc.begin("tools/call", write("b.txt"));
    let second = socket.prompt();
    assert_ne!(first["id"], second["id"]);
    let replay = socket.answer(&first["id"], "allow-once");
    assert_eq!(
        (&replay["reply"], &replay["code"]),
        (&json!("refused"), &json!("answered"))
    );
    assert_eq!(socket.answer(&second["id"], "deny")["reply"], "acknowledged");
    assert!(outcome(&rpc.answer(&call.into())).0);
}
