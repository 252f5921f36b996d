//! Two processes with one log, and a log over MCP.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use toolgate::audit::{LossKind, verify};
use toolgate_tests::support::{Rpc, Tree, cache_key};

use crate::stage::{State, lines, records};

/// A state directory of its own for the binary.
pub(crate) fn state() -> State {
    State::with_key(&cache_key())
}

fn server(state: &State, root: &str) -> Rpc {
    let mut server = Rpc::start_with(&[("XDG_STATE_HOME", state.home().as_os_str())], root, &[]);
    server.initialise();
    server
}

#[test]
fn two_servers_write_one_chain() {
    const CALLS: usize = 40;
    let state = state();
    let tree = Tree::new(&[("a.txt", "x")]);
    let mut servers = [server(&state, tree.text()), server(&state, tree.text())];
    for _ in 0..CALLS {
        let ids = servers
            .each_mut()
            .map(|server| server.begin("tools/call", json!({"name": "stat", "arguments": {"path": "a.txt"}})));
        for (server, id) in servers.iter_mut().zip(ids) {
            assert_eq!(server.answer(&json!(id))["result"]["isError"], false);
        }
    }
    for server in servers {
        assert_eq!(server.close(), Some(0));
    }
    let report = verify(&state.log()).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.records, 2 * CALLS as u64);
    let hosts: Vec<String> = records(&state.log())
        .iter()
        .map(|record| record["host"].to_string())
        .collect();
    assert_eq!(hosts.iter().collect::<BTreeSet<_>>().len(), 2);
    let turns = hosts.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(turns > 5, "they wrote one after the other: {turns} turns");
}

#[test]
fn a_killed_server_leaves_a_log_that_goes_on() {
    let state = state();
    let tree = Tree::new(&[("a.txt", "x")]);
    let one_call = || {
        let mut server = server(&state, tree.text());
        server.call("stat", json!({"path": "a.txt"}));
        assert_eq!(server.close(), Some(0));
    };
    one_call();
    let mut calls = 1;
    for _ in 0..5 {
        let mut server = server(&state, tree.text());
        for _ in 0..30 {
            server.begin("tools/call", json!({"name": "stat", "arguments": {"path": "a.txt"}}));
        }
        let answer = server.receive(std::time::Duration::from_secs(60)).unwrap();
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        kill_process(Pid::from_raw(server.pid().cast_signed()).unwrap(), Signal::KILL).unwrap();
        drop(server);
        calls += 30;
        let report = verify(&state.log()).unwrap();
        assert!(report.is_intact(), "{report:?}");
        assert!(
            report.losses.iter().all(|loss| loss.kind == LossKind::TornTail),
            "{report:?}"
        );
        assert!(report.records <= calls, "{report:?}");
    }
    one_call();
    assert!(verify(&state.log()).unwrap().is_intact());
    assert_eq!(lines(&state.log()).last().unwrap()["outcome"], "ok");
}

#[test]
fn calls_over_mcp_are_recorded_however_they_end() {
    let state = state();
    let tree = Tree::new(&[("a.txt", "x")]);
    let mut server = server(&state, tree.text());
    server.call("stat", json!({"path": "a.txt"}));
    let answer = server.call("no_such_tool", json!({"x": 1}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    server.call("stat", json!({"pth": "a.txt"}));
    server.call("stat", json!({"path": "/etc"}));
    assert_eq!(server.close(), Some(0));
    let outcomes: Vec<_> = records(&state.log())
        .iter()
        .map(|record| record["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["ok", "not_found", "invalid_arguments", "denied"]);
}
