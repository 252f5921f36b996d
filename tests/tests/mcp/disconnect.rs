//! Clients that vanish in the middle of a call (row M05).

use std::io::Write;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_tests::rig::guest;
use toolgate_tests::support::{Rpc, Server, Tree, processor_share, request};

/// Shares of one processor. Other work on the machine takes its part of the first.
const RUNNING: f64 = 0.1;
const IDLE: f64 = 0.06;

/// A call that would take years.
fn endless() -> Value {
    json!({"name": "probe_read", "arguments": {"path": ".", "ops": [{"op": "type", "at": "0"}], "repeat": 1_000_000_000_000_000_u64}})
}

/// Waits until a call burns processor time: its component may have to be compiled first.
fn wait_until_running(pid: u32) {
    sleep(Duration::from_secs(1));
    assert!(processor_share(pid) > RUNNING, "the endless call runs");
}

#[test]
fn m05_a_lost_connection_stops_its_call() {
    let tree = Tree::new(&[]);
    let probe = guest("probe");
    let server = Server::start(tree.text(), &["--plugin", probe.to_str().expect("UTF-8")]);
    let opened = server.open_session();
    let session = opened.header("mcp-session-id").expect("a session id");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": endless()}).to_string();
    let head = request(server.address(), &[("Mcp-Session-Id", session)], &call);

    let mut connection = TcpStream::connect(server.address()).expect("the server accepts");
    connection
        .write_all((head + &call).as_bytes())
        .expect("the server reads");
    wait_until_running(server.pid());
    drop(connection);
    sleep(Duration::from_secs(1));
    let share = processor_share(server.pid());
    assert!(share < IDLE, "the guest still uses {share} of a processor");
    assert_eq!(server.open_session().status, 200, "the server goes on");
}

#[test]
fn m05_the_end_of_input_stops_endless_calls() {
    let tree = Tree::new(&[]);
    let probe = guest("probe");
    let mut rpc = Rpc::initialised(tree.text(), &["--plugin", probe.to_str().expect("UTF-8")]);
    rpc.begin("tools/call", endless());
    wait_until_running(rpc.pid());
    let now = Instant::now();
    assert_eq!(rpc.close(), Some(0));
    assert!(
        now.elapsed() < Duration::from_secs(2),
        "the server ended after {:?}",
        now.elapsed()
    );
}

#[test]
fn m05_cancelling_one_call_leaves_the_others_alone() {
    let tree = Tree::new(&[("a", "x")]);
    let probe = guest("probe");
    let mut rpc = Rpc::initialised(tree.text(), &["--plugin", probe.to_str().expect("UTF-8")]);
    let doomed = rpc.begin("tools/call", endless());
    wait_until_running(rpc.pid());
    let answer = rpc.call("stat", json!({"path": "a"}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    rpc.notify(
        "notifications/cancelled",
        json!({"requestId": doomed, "reason": "test"}),
    );
    sleep(Duration::from_secs(1));
    assert!(processor_share(rpc.pid()) < IDLE);
    let answer = rpc.call("stat", json!({"path": "a"}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}
