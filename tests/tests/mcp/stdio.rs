//! Sessions over standard input and output.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_tests::support::{Rpc, Tree};

#[test]
fn the_server_introduces_itself() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::start(tree.text(), &["--mode", "plan"]);
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = rpc.request("initialize", params);
    let result = &answer["result"];
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "toolgate");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(result["capabilities"]["tools"].is_object());
    let instructions = result["instructions"].as_str().expect("instructions");
    assert!(
        instructions.contains(tree.text()) && instructions.contains("plan"),
        "{instructions}"
    );
}

#[test]
fn failures_are_results_and_unknown_tools_are_errors() {
    let tree = Tree::new(&[("a", "x")]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);

    let answer = rpc.call("read_file", json!({"path": "absent"}));
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["structuredContent"]["kind"], "not_found");
    assert_eq!(
        answer["result"]["content"][0]["text"],
        answer["result"]["structuredContent"]["error"]
    );

    let answer = rpc.call("read_file", json!({"path": "a", "lmit": 3}));
    assert_eq!(answer["result"]["structuredContent"]["kind"], "invalid_arguments");
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("lmit") && text.contains("limit"), "{text}");

    // Nobody can be asked, so what would need an approval is denied.
    let answer = rpc.call("write_file", json!({"path": "b", "content": "x"}));
    assert_eq!(answer["result"]["structuredContent"]["kind"], "denied");
    assert_eq!(tree.read("b"), None);

    let answer = rpc.call("raed_file", json!({}));
    assert_eq!(answer["error"]["code"], -32602);
    let text = answer["error"]["message"].as_str().expect("a text");
    assert!(text.contains("raed_file") && text.contains("read_file"), "{text}");

    let answer = rpc.call(&"x".repeat(1 << 20), json!({}));
    assert_eq!(answer["error"]["code"], -32602);
    assert!(
        answer.to_string().len() < 10_000,
        "an error does not repeat a name of any length"
    );
}

#[test]
fn calls_of_one_session_run_side_by_side() {
    let tree = Tree::new(&[("a", "content of a\n")]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let ids: BTreeSet<i64> = (0..100)
        .map(|_| rpc.begin("tools/call", json!({"name": "read_file", "arguments": {"path": "a"}})))
        .collect();
    let mut answered = BTreeSet::new();
    while answered.len() < ids.len() {
        let message = rpc.receive(Duration::from_secs(60)).expect("every call is answered");
        assert_eq!(message["result"]["isError"], false, "{message}");
        assert!(
            answered.insert(message["id"].as_i64().expect("our id")),
            "answered twice"
        );
    }
    assert_eq!(answered, ids);
}

#[test]
fn the_stateless_protocol_needs_no_handshake() {
    let tree = Tree::new(&[("a", "content of a\n")]);
    let mut rpc = Rpc::start(tree.text(), &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let answer = rpc.request("server/discover", json!({"_meta": meta}));
    let versions = answer["result"]["supportedVersions"].as_array().expect("versions");
    assert!(
        versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")),
        "{answer}"
    );
    let call = json!({"name": "read_file", "arguments": {"path": "a"}, "_meta": meta});
    let answer = rpc.request("tools/call", call);
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    assert!(
        answer["result"]["structuredContent"]["content"]
            .to_string()
            .contains("content of a"),
        "{answer}"
    );
}

#[test]
fn messages_before_the_first_request_are_ignored() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::start(tree.text(), &[]);
    rpc.send_raw(b"garbage\n");
    rpc.notify("notifications/initialized", json!({}));
    rpc.send(&json!({"jsonrpc": "2.0", "id": 9, "result": {}}));
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(
        rpc.request("initialize", params)["result"]["serverInfo"]["name"],
        "toolgate"
    );
}

/// Whatever prints in the server's process prints on standard error: descriptor
/// 1 is no longer the protocol's channel, and descriptor 0 is empty.
#[test]
fn m12_the_channel_belongs_to_the_protocol_alone() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::initialised(tree.text(), &["-vvv"]);
    let target = |descriptor: u32| {
        std::fs::read_link(format!("/proc/{}/fd/{descriptor}", rpc.pid())).expect("the descriptor is open")
    };
    assert_eq!(target(1), target(2));
    assert_eq!(target(0).to_str(), Some("/dev/null"));
    // Logging everything, the channel still carries nothing but messages:
    // `receive` refuses any other line.
    assert!(rpc.request("tools/list", json!({}))["result"]["tools"].is_array());
    assert_eq!(rpc.receive(Duration::from_millis(300)), None);
}

#[test]
fn m05_the_end_of_input_ends_the_server() {
    let tree = Tree::new(&[("a", "x")]);
    let started = Rpc::initialised(tree.text(), &[]);
    let silent = Rpc::start(tree.text(), &[]);
    let now = Instant::now();
    assert_eq!(started.close(), Some(0));
    assert_eq!(silent.close(), Some(0));
    assert!(now.elapsed() < Duration::from_secs(5));
}

#[test]
fn requests_before_the_end_of_input_are_still_answered() {
    let tree = Tree::new(&[("a", "x")]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let id = rpc.begin("tools/call", json!({"name": "stat", "arguments": {"path": "a"}}));
    rpc.close_input();
    assert_eq!(rpc.answer(&Value::from(id))["result"]["isError"], false);
}

#[test]
fn the_tool_list_has_one_page() {
    let tree = Tree::new(&[]);
    let mut rpc = Rpc::initialised(tree.text(), &[]);
    let listed = rpc.request("tools/list", json!({}));
    assert!(listed["result"]["nextCursor"].is_null());
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(names.is_sorted() && names.contains(&"read_file"), "{names:?}");
    assert_eq!(
        rpc.request("tools/list", json!({"cursor": "next"}))["error"]["code"],
        -32602
    );
}
