//! A client that goes away takes its questions along (row M05).

use std::io::Write;
use std::net::TcpStream;

use serde_json::json;
use toolgate_tests::support::request;

use crate::stage::{Stage, write};

#[test]
fn m05_the_end_of_input_withdraws_the_question() {
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    let mut watcher = stage.connect();
    watcher.watch();
    rpc.begin("tools/call", write("b.txt"));
    let prompt = watcher.prompt();
    rpc.close_input();
    assert_eq!(watcher.end_of(&prompt["id"]), "withdrawn");
    assert_eq!(rpc.close(), Some(0));
    assert_eq!(
        stage.sockets(),
        Vec::<std::path::PathBuf>::new(),
        "the socket goes with its server"
    );
    assert_eq!(stage.tree.read("b.txt"), None);
}

#[test]
fn m05_a_cancelled_call_withdraws_the_question() {
    let stage = Stage::new();
    let mut rpc = stage.session(&["--approvals"]);
    let mut watcher = stage.connect();
    watcher.watch();
    let call = rpc.begin("tools/call", write("b.txt"));
    let prompt = watcher.prompt();
    rpc.notify("notifications/cancelled", json!({"requestId": call, "reason": "test"}));
    assert_eq!(watcher.end_of(&prompt["id"]), "withdrawn");
    let late = watcher.answer(&prompt["id"], "allow-once");
    assert_eq!(late["code"], "withdrawn", "{late}");
    assert_eq!(rpc.call("stat", json!({"path": "a.txt"}))["result"]["isError"], false);
    assert_eq!(stage.tree.read("b.txt"), None);
}

#[test]
fn m05_a_lost_connection_withdraws_the_question() {
    let stage = Stage::new();
    let server = stage.http(&["--approvals"]);
    let mut watcher = stage.connect();
    watcher.watch();
    let opened = server.open_session();
    let session = opened.header("mcp-session-id").expect("a session id");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": write("b.txt")}).to_string();
    let head = request(server.address(), &[("Mcp-Session-Id", session)], &call);
    let mut connection = TcpStream::connect(server.address()).expect("the server accepts");
    connection
        .write_all((head + &call).as_bytes())
        .expect("the server reads");
    let prompt = watcher.prompt();
    drop(connection);
    assert_eq!(watcher.end_of(&prompt["id"]), "withdrawn");
    assert_eq!(stage.tree.read("b.txt"), None);
}

#[test]
fn a_client_of_the_newer_protocol_waits_for_the_socket_too() {
    let stage = Stage::new();
    let server = stage.http(&["--approvals"]);
    let mut watcher = stage.connect();
    watcher.watch();
    let answer = std::thread::scope(|scope| {
        let call = scope.spawn(|| server.request("tools/call", write("b.txt")).message());
        let prompt = watcher.prompt();
        watcher.answer(&prompt["id"], "allow-once");
        call.join().expect("an answer")
    });
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert_eq!(stage.tree.read("b.txt").as_deref(), Some("x"));
}
