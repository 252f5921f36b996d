//! Sessions that go on in another process, and processes that are killed.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use toolgate_tests::support::{Rpc, Server, Tree, cache_key, command, post};

use crate::stage::State;

/// A state directory of its own for the binary.
fn state() -> State {
    State::with_key_of(cache_key().parent().unwrap())
}

/// One call in a session, in a process of its own.
fn call(state: &State, session: &[&str], tool: &str, arguments: &Value) -> Value {
    let mut process: Command = command();
    let output = process
        .env("XDG_STATE_HOME", state.home())
        .args(["call", "--mode", "yolo"])
        .args(session)
        .args([tool, &arguments.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn texts(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item["text"].as_str().unwrap()).collect()
}

#[test]
fn the_list_goes_on_in_the_next_process() {
    let state = state();
    let mine = ["--session", "mine"];
    let add = |text: &str| json!({"action": "add", "text": text});
    call(&state, &mine, "todo", &add("first"));
    let list = call(&state, &mine, "todo", &add("second"));
    assert_eq!(texts(&list), ["first", "second"]);
    let done = json!({"action": "set_status", "id": 1, "status": "completed"});
    call(&state, &mine, "todo", &done);
    let list = call(&state, &mine, "todo", &json!({"action": "list"}));
    assert_eq!(list["items"][0]["status"], "completed");
    assert_eq!(
        call(&state, &["--session", "other"], "todo", &json!({"action": ""}))["items"],
        json!([])
    );

    // Without a name, each process has a session of its own and leaves nothing.
    assert_eq!(texts(&call(&state, &[], "todo", &add("gone"))), ["gone"]);
    assert_eq!(texts(&call(&state, &[], "todo", &add("too"))), ["too"]);
    assert_eq!(state.take_sessions(), 1);
}

#[test]
fn a_result_is_read_again_by_the_next_process() {
    let state = state();
    let tree = Tree::new(&[]);
    for number in 0..200 {
        tree.write(&format!("file-{number:03}.txt"), "");
    }
    let list = json!({"path": "."});
    let call = |options: &[&str], tool: &str, arguments: &Value| {
        call(&state, &[&["--root", tree.text()], options].concat(), tool, arguments)
    };
    // A session without a name ends with its process: nobody could read the rest.
    let whole = call(&[], "list_dir", &list);
    assert_eq!(whole["total"], 200);
    let digested = call(&["--session", "s"], "list_dir", &list);
    let id = digested["call_id"].as_str().unwrap();
    let raw = call(&["--session", "s"], "retrieve_raw", &json!({"call_id": id}));
    assert_eq!(raw["bytes"], digested["raw_bytes"]);
    let raw: Value = serde_json::from_str(raw["raw"].as_str().unwrap()).unwrap();
    assert_eq!(raw, whole);
    // Nor could they if a session's things ended with the process.
    tree.write("memory.toml", "[session]\nstore = \"memory\"\n");
    let config = format!("{}/memory.toml", tree.text());
    let whole = call(&["--session", "s", "--config", &config], "list_dir", &list);
    assert_eq!(whole["total"], 201);
    for option in ["--no-digest", "--no-mcp-digest"] {
        assert_eq!(call(&["--session", "s", option], "list_dir", &list), whole, "{option}");
    }
}

/// A server that ends in an orderly way forgets its unnamed sessions, on every transport.
#[test]
fn a_server_that_is_stopped_leaves_nothing() {
    let state = state();
    let environment = [("XDG_STATE_HOME", state.home().as_os_str())];
    let tree = Tree::new(&[]);
    let add = json!({"name": "todo", "arguments": {"action": "add", "text": "x"}});
    let stop = |pid: u32, signal| kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();

    for signal in [None, Some(Signal::INT), Some(Signal::TERM)] {
        let mut server = Rpc::start_with(&environment, tree.text(), &[]);
        server.initialise();
        assert_eq!(server.request("tools/call", add.clone())["result"]["isError"], false);
        if let Some(signal) = signal {
            stop(server.pid(), signal);
            while server.receive(Duration::from_secs(10)).is_some() {}
        }
        server.close();
        assert_eq!(state.take_sessions(), 0, "stdio, {signal:?}");
    }

    let mut server = Server::start_in(&environment, tree.text(), &["--http", "127.0.0.1:0"]);
    let opened = server.open_session();
    let session = opened.header("mcp-session-id").unwrap();
    let headers = [("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")];
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": add});
    let answer = post(server.address(), &headers, &call.to_string()).message();
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let answer = server.request("tools/call", add).message();
    assert_eq!(answer["result"]["structuredContent"]["items"][0]["id"], 1, "{answer}");
    stop(server.pid(), Signal::INT);
    assert!(server.ended());
    assert_eq!(state.take_sessions(), 0, "HTTP");
}

/// Rounds of adds, each cut off by `SIGKILL` at another point.
#[test]
fn a_killed_process_has_kept_what_it_acknowledged() {
    const ADDS: usize = 150;
    let state = state();
    let tree = Tree::new(&[]);
    let todo = |arguments: Value| call(&state, &["--session", "k"], "todo", &arguments);
    let mut cut = 0;
    for round in 0..5 {
        todo(json!({"action": "clear"}));
        let environment = [("XDG_STATE_HOME", state.home().as_os_str())];
        let mut server = Rpc::start_with(&environment, tree.text(), &["--session", "k"]);
        server.initialise();
        let mut open = BTreeMap::new();
        for number in 0..ADDS {
            let text = format!("{round}-{number}");
            let arguments = json!({"action": "add", "text": text});
            let id = server.begin("tools/call", json!({"name": "todo", "arguments": arguments}));
            open.insert(id, text);
        }
        let sent: BTreeSet<String> = open.values().cloned().collect();
        let mut acknowledged = BTreeSet::new();
        for _ in 0..=round * 8 {
            let answer = server.receive(Duration::from_secs(60)).unwrap();
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            acknowledged.insert(open.remove(&answer["id"].as_i64().unwrap()).unwrap());
        }
        let pid = Pid::from_raw(server.pid().cast_signed()).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        // What was already on its way to the client counts as acknowledged too.
        while let Some(answer) = server.receive(Duration::from_secs(10)) {
            acknowledged.insert(open.remove(&answer["id"].as_i64().unwrap()).unwrap());
        }
        drop(server);

        let list = todo(json!({"action": "list"}));
        let ids = list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].as_u64().unwrap());
        let ids: Vec<_> = ids.collect();
        assert!(ids.windows(2).all(|pair| pair[1] == pair[0] + 1), "{ids:?}");
        let kept: BTreeSet<String> = texts(&list).into_iter().map(str::to_owned).collect();
        assert_eq!(kept.len(), ids.len(), "an item is there twice: {list}");
        assert!(kept.is_subset(&sent), "{list}");
        let lost: Vec<_> = acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "round {round}: acknowledged and lost: {lost:?}");
        cut += usize::from(kept.len() < ADDS);
    }
    assert!(cut > 0, "every process was done before it was killed");
}
