//! Sessions that go on in another process, and processes that are killed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use toolgate_tests::support::{Rpc, Tree, command, run};

use crate::stage::State;

/// A state directory of its own for the binary.
fn state() -> State {
    // Its key exists once the binary has run.
    assert_eq!(run(&["tools"]).status, Some(0));
    let home = command().get_envs().find_map(|(name, value)| (name == "HOME").then_some(value));
    State::with_key_of(&Path::new(home.flatten().unwrap()).join(".local/state/toolgate"))
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
    assert_eq!(call(&state, &["--session", "other"], "todo", &json!({"action": ""}))["items"], json!([]));

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
    for option in ["--no-digest", "--no-mcp-digest"] {
        assert_eq!(call(&["--session", "s", option], "list_dir", &list), whole, "{option}");
    }
}

#[test]
fn a_killed_process_has_kept_what_it_acknowledged() {
    let state = state();
    let tree = Tree::new(&[]);
    // The server finds its state through the environment.
    let config = tree.root().join("none.toml");
    std::fs::write(&config, "").unwrap();
    let list = || call(&state, &["--session", "k"], "todo", &json!({"action": "list"}));
    let (mut acknowledged, mut sent) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..4_u64 {
        let mut server = Rpc::initialised_with(tree.text(), &["--session", "k"], &[("XDG_STATE_HOME", state.home())]);
        let mut open = std::collections::BTreeMap::new();
        for number in 0..40 {
            let text = format!("{round}-{number}");
            let id = server.begin("tools/call", json!({"name": "todo", "arguments": {"action": "add", "text": text}}));
            sent.insert(text.clone());
            open.insert(id, text);
        }
        // In the middle: some are acknowledged, some are under way.
        for _ in 0..=round * 4 {
            let answer = server.receive(Duration::from_secs(60)).unwrap();
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            acknowledged.insert(open.remove(&answer["id"].as_i64().unwrap()).unwrap());
        }
        let pid = Pid::from_raw(server.pid().cast_signed()).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        // What was on its way when it died counts as acknowledged too.
        while let Some(answer) = server.receive(Duration::from_secs(10)) {
            acknowledged.insert(open.remove(&answer["id"].as_i64().unwrap()).unwrap());
        }
        drop(server);
        assert!(!open.is_empty(), "round {round}: it was killed too late");

        let list = list();
        let ids: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["id"].as_u64().unwrap()).collect();
        assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
        let kept: BTreeSet<String> = texts(&list).into_iter().map(str::to_owned).collect();
        assert_eq!(kept.len(), ids.len(), "an item is there twice: {list}");
        assert!(kept.is_subset(&sent), "{list}");
        let lost: Vec<_> = acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "round {round}: acknowledged and lost: {lost:?}");
    }
}
