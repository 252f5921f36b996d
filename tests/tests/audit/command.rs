//! `toolgate audit` on real logs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

use serde_json::Value;
use toolgate_tests::support::{Tree, command};

use crate::processes::state;
use crate::stage::State;

fn toolgate(state: &State, arguments: &[&str]) -> Output {
    let mut process = command();
    process.env("XDG_STATE_HOME", state.home()).args(arguments);
    process.stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// A log with one allowed call, a denied one in a session of this name, and an unknown tool.
fn three_calls(state: &State) -> Tree {
    let tree = Tree::new(&[("a.txt", "x")]);
    let call = |arguments: &[&str]| {
        let output = toolgate(state, &[&["call", "--root", tree.text()], arguments].concat());
        assert!(output.stderr.is_empty(), "{output:?}");
    };
    call(&["stat", r#"{"path": "a.txt"}"#]);
    call(&[
        "--session",
        "mine",
        "write_file",
        r#"{"path": "b.txt", "content": "x"}"#,
    ]);
    call(&["no_such_tool"]);
    tree
}

#[test]
fn verify_says_where_a_log_was_changed() {
    let state = state();
    let missing = toolgate(&state, &["audit", "verify"]);
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    assert!(
        String::from_utf8_lossy(&missing.stderr).contains("audit"),
        "{missing:?}"
    );

    three_calls(&state);
    let file = state.log().join("audit.jsonl");
    for place in [None, Some(state.log()), Some(file.clone())] {
        let place = place.map(|place| place.to_str().unwrap().to_owned());
        let verified = toolgate(&state, &[&["audit", "verify"], place.as_deref().as_slice()].concat());
        assert_eq!(verified.status.code(), Some(0), "{verified:?}");
        assert!(stdout(&verified).contains("Complete: 4 lines, 3 calls"), "{verified:?}");
    }

    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"denied\"", "\"ok\"")).unwrap();
    let damaged = toolgate(&state, &["audit", "verify"]);
    assert_eq!(damaged.status.code(), Some(1), "{damaged:?}");
    for word in ["audit.jsonl:3:", "changed line", "Somebody changed this line"] {
        assert!(stdout(&damaged).contains(word), "{word}: {damaged:?}");
    }
    let damaged = toolgate(&state, &["audit", "verify", "--json"]);
    assert_eq!(damaged.status.code(), Some(1), "{damaged:?}");
    let report: Value = serde_json::from_slice(&damaged.stdout).unwrap();
    assert_eq!(
        (&report["fault"]["kind"], &report["fault"]["line"]),
        (&"changed_line".into(), &3.into())
    );
}

#[test]
fn show_selects_calls() {
    let state = state();
    three_calls(&state);
    let shown = |arguments: &[&str]| {
        let output = toolgate(&state, &[&["audit", "show"], arguments].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        stdout(&output).to_owned()
    };
    assert_eq!(shown(&[]).lines().count(), 4);
    assert_eq!(shown(&["--tail", "2"]).lines().count(), 2);
    let denied = shown(&["--denied", "--since", "1h", "--json"]);
    let record: Value = serde_json::from_str(denied.trim_end()).unwrap();
    assert_eq!(
        (&record["session"], &record["tool"]),
        (&"mine".into(), &"write_file".into())
    );
    assert_eq!(shown(&["--session", "mine"]).lines().count(), 1);
    assert!(shown(&["--tool", "stat"]).contains("stat ok"));
    for nothing in [["--tool", "grep"], ["--since", "2999-01-01"], ["--session", "other"]] {
        assert_eq!(shown(&nothing), "", "{nothing:?}");
    }
    let wrong = toolgate(&state, &["audit", "show", "--since", "yesterday"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("10m"), "{wrong:?}");
}

#[test]
fn show_follows_what_is_written() {
    let state = state();
    let tree = three_calls(&state);
    let mut follower = command()
        .env("XDG_STATE_HOME", state.home())
        .args(["audit", "show", "--follow", "--tool", "stat", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let first = next();
    let file = state.log().join("audit.jsonl");
    toolgate(&state, &["call", "--root", tree.text(), "stat", r#"{"path": "a.txt"}"#]);
    let second = next();
    assert!(second["seq"].as_u64() > first["seq"].as_u64(), "{first} {second}");
    // A new file, as rotation makes it.
    fs::rename(&file, state.log().join("audit-000001.jsonl")).unwrap();
    toolgate(
        &state,
        &["call", "--root", tree.text(), "stat", r#"{"path": "nowhere"}"#],
    );
    let third = next();
    assert!(
        third["arguments"]["path"].as_str().unwrap().ends_with("nowhere"),
        "{third}"
    );
    follower.kill().unwrap();
    follower.wait().unwrap();
    assert_eq!(toolgate(&state, &["audit", "verify"]).status.code(), Some(0));
}
