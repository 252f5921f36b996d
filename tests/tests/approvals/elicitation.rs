//! Forms in the client, beside the socket.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_tests::support::Rpc;

use crate::stage::{PATIENCE, Stage, outcome, write};

/// A session of the 2025 protocol whose client can ask its user.
fn asking(stage: &Stage) -> Rpc {
    let mut rpc = stage.stdio(&[]);
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "t", "version": "1"},
    });
    rpc.request("initialize", params);
    rpc.notify("notifications/initialized", json!({}));
    rpc
}

/// The next form.
fn form(rpc: &mut Rpc) -> Value {
    let message = rpc.receive(PATIENCE).expect("a form");
    assert_eq!(message["method"], "elicitation/create", "{message}");
    message
}

fn reply(rpc: &mut Rpc, form: &Value, decision: &str) {
    let result = json!({"action": "accept", "content": {"decision": decision}});
    rpc.send(&json!({"jsonrpc": "2.0", "id": form["id"], "result": result}));
}

#[test]
fn the_form_offers_what_the_question_offers() {
    let stage = Stage::new();
    let mut rpc = asking(&stage);
    let mut socket = stage.connect();
    socket.watch();
    let call = rpc.begin("tools/call", write("b.txt"));
    let form = form(&mut rpc);
    let decision = &form["params"]["requestedSchema"]["properties"]["decision"];
    let values = decision["enum"].as_array().expect("values");
    let titles = decision["enumNames"].as_array().expect("titles");
    assert_eq!(values.len(), titles.len());
    let prompt = socket.prompt();
    let choices = prompt["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), values.len());
    for ((choice, value), title) in choices.iter().zip(values).zip(titles) {
        assert_eq!(choice["decision"], *value);
        let covers = choice["covers"].as_str().expect("text");
        assert!(title.as_str().is_some_and(|title| title.contains(covers)), "{title}");
    }
    reply(&mut rpc, &form, "allow-once");
    assert!(!outcome(&rpc.answer(&call.into())).0);
    assert_eq!(socket.end_of(&prompt["id"]), "withdrawn", "it was answered elsewhere");
}

#[test]
fn what_is_not_offered_is_no_answer() {
    let stage = Stage::new();
    let mut rpc = asking(&stage);
    // Nobody watches, so the client is the only one who is asked.
    let call = rpc.begin("tools/call", write("c.txt"));
    let form = form(&mut rpc);
    reply(&mut rpc, &form, "allow-everything");
    let (failed, text) = outcome(&rpc.answer(&call.into()));
    assert!(
        failed && text.contains("allow-everything") && text.contains("allow-once"),
        "{text}"
    );
}

#[test]
fn a_change_to_the_control_plane_is_told_apart_and_allowed_once_at_most() {
    let stage = Stage::new();
    let mut rpc = asking(&stage);
    let call = rpc.begin("tools/call", write(".agents/config.json"));
    let form = form(&mut rpc);
    let values = &form["params"]["requestedSchema"]["properties"]["decision"]["enum"];
    assert_eq!(*values, json!(["deny", "allow-once"]));
    assert!(
        form["params"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("CONTROL PLANE"))
    );
    reply(&mut rpc, &form, "allow-session");
    assert!(outcome(&rpc.answer(&call.into())).0);
    assert_eq!(stage.tree.read(".agents/config.json"), None);
}

#[test]
fn the_socket_can_answer_for_the_client() {
    let stage = Stage::new();
    let mut rpc = asking(&stage);
    let mut socket = stage.connect();
    let call = rpc.begin("tools/call", write("b.txt"));
    let form = form(&mut rpc);
    // Nobody watched when it was asked.
    socket.watch();
    let prompt = socket.prompt();
    assert_eq!(socket.answer(&prompt["id"], "allow-once")["reply"], "acknowledged");
    let mut withdrawn = false;
    let result = loop {
        let message = rpc.receive(PATIENCE).expect("a message");
        if message["method"] == "notifications/cancelled" {
            withdrawn |= message["params"]["requestId"] == form["id"];
        } else if message["id"] == call && message.get("result").is_some() {
            break message;
        }
    };
    assert!(!outcome(&result).0, "{result}");
    let more = rpc.receive(Duration::from_millis(500));
    withdrawn |= more.is_some_and(|message| message["method"] == "notifications/cancelled");
    assert!(withdrawn, "no dialog stays open");
}

#[test]
fn one_form_at_a_time() {
    let stage = Stage::new();
    let mut rpc = asking(&stage);
    let calls: Vec<i64> = (0..5)
        .map(|number| rpc.begin("tools/call", write(&format!("{number}.txt"))))
        .collect();
    let mut answered = 0;
    let mut done = Vec::new();
    while done.len() < calls.len() {
        let message = rpc.receive(PATIENCE).expect("a message");
        if message["method"] == "elicitation/create" {
            let next = rpc.receive(Duration::from_millis(300));
            assert!(
                next.as_ref().is_none_or(|next| next["method"] != "elicitation/create"),
                "a second form: {next:?}"
            );
            done.extend(next);
            reply(&mut rpc, &message, "allow-once");
            answered += 1;
        } else {
            done.push(message);
        }
    }
    assert_eq!(answered, calls.len());
    assert!(done.iter().all(|message| !outcome(message).0), "{done:?}");
}
