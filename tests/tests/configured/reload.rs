//! Changes of the files while a server runs.

use std::ffi::OsStr;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use toolgate_tests::support::{Rpc, Server};

use crate::stage::Stage;

const PATIENCE: Duration = Duration::from_secs(20);
const USER: &str = "config/toolgate/config.toml";
const OPEN: &str = "[permissions]\nmode = 'acceptEdits'\n";
const CLOSED: &str = "[permissions]\nmode = 'acceptEdits'\ndeny = ['write_file:no']\n";

fn serve(stage: &Stage, options: &[&str]) -> Server {
    let environment = stage.environment();
    let environment: Vec<(&str, &OsStr)> = environment
        .iter()
        .map(|(name, value)| (*name, value.as_os_str()))
        .collect();
    let options = [&["--http", "127.0.0.1:0"], options].concat();
    Server::start_in(&environment, &stage.text("project"), &options)
}

fn write(server: &Server, path: &str) -> Value {
    let call = json!({"name": "write_file", "arguments": {"path": path, "content": "x"}});
    server.request("tools/call", call).message()
}

fn is_denied(answer: &Value) -> bool {
    answer["result"]["isError"] == true && answer.to_string().contains("denied")
}

/// The next line with this text; the lines before it are returned too.
fn wait_for(server: &Server, text: &str) -> Vec<String> {
    let until = Instant::now() + PATIENCE;
    let mut lines = Vec::new();
    while Instant::now() < until {
        if let Some(line) = server.next_line(Duration::from_millis(200)) {
            let found = line.contains(text);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }
    panic!("{text:?} was not said: {lines:#?}");
}

#[test]
fn rules_count_from_the_next_call_on() {
    let stage = Stage::new(&[(USER, OPEN)]);
    let server = serve(&stage, &[]);
    let before = write(&server, "no");
    assert!(!is_denied(&before), "{before}");

    stage.tree.write(USER, CLOSED);
    wait_for(&server, "loaded again");
    let after = write(&server, "no");
    assert!(
        is_denied(&after) && after.to_string().contains("write_file:no"),
        "{after}"
    );
    assert!(!is_denied(&write(&server, "yes")));

    // A broken file changes nothing, and is said once.
    stage.tree.write(USER, "[permissions]\ndney = []\n");
    let said = wait_for(&server, "did you mean");
    assert!(
        said.iter().any(|line| line.contains("old configuration stays")),
        "{said:?}"
    );
    assert!(said.iter().any(|line| line.contains("config.toml:2")), "{said:?}");
    assert_eq!(server.next_line(Duration::from_secs(3)), None);
    assert!(is_denied(&write(&server, "no")));

    // A mended one counts again; as editors do it, by putting another file in its place.
    stage.tree.write("config/toolgate/.config.toml.swp", OPEN);
    fs::rename(stage.path("config/toolgate/.config.toml.swp"), stage.path(USER)).unwrap();
    wait_for(&server, "loaded again");
    assert!(!is_denied(&write(&server, "no")));

    // The mode too.
    stage.tree.write(USER, "[permissions]\nmode = 'plan'\n");
    wait_for(&server, "the mode is plan");
    assert!(is_denied(&write(&server, "yes")));
}

#[test]
fn on_standard_input_and_output_too() {
    let stage = Stage::new(&[(USER, OPEN)]);
    let environment = stage.environment();
    let environment: Vec<(&str, &OsStr)> = environment
        .iter()
        .map(|(name, value)| (*name, value.as_os_str()))
        .collect();
    let mut rpc = Rpc::start_with(&environment, &stage.text("project"), &[]);
    rpc.initialise();
    let call = json!({"name": "write_file", "arguments": {"path": "no", "content": "x"}});
    let answer = rpc.request("tools/call", call.clone());
    assert!(!is_denied(&answer), "{answer}");
    stage.tree.write(USER, CLOSED);
    let until = Instant::now() + PATIENCE;
    while !is_denied(&rpc.request("tools/call", call.clone())) {
        assert!(Instant::now() < until, "the change was not noticed");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn flags_win_after_a_change_too() {
    let stage = Stage::new(&[(USER, OPEN)]);
    let server = serve(&stage, &["--deny", "write_file:flag", "--mode", "acceptEdits"]);
    stage.tree.write(USER, "[permissions]\nmode = 'yolo'\n");
    wait_for(&server, "the mode is acceptEdits");
    assert!(is_denied(&write(&server, "flag")));
}

#[test]
fn a_project_file_that_appears_may_only_take_away_until_it_is_trusted() {
    let stage = Stage::new(&[(USER, "")]);
    let server = serve(&stage, &[]);
    assert!(is_denied(&write(&server, "a")));
    stage.tree.write(
        "project/.agents/toolgate.toml",
        "[permissions]\nmode = 'yolo'\ndeny = ['write_file:b']\n",
    );
    let said = wait_for(&server, "is not trusted");
    assert!(said.iter().any(|line| line.contains("permissions.mode")), "{said:?}");
    assert!(is_denied(&write(&server, "a")));
    assert_eq!(stage.run(&["trust", "--yes"]).status, Some(0));
    wait_for(&server, "the mode is yolo");
    assert!(!is_denied(&write(&server, "a")));
    assert!(is_denied(&write(&server, "b")));
}

#[test]
fn a_hangup_loads_at_once_and_ends_nothing() {
    let stage = Stage::new(&[(USER, OPEN)]);
    let server = serve(&stage, &[]);
    let pid = Pid::from_raw(i32::try_from(server.pid()).unwrap()).unwrap();
    // Nothing has changed; it is loaded all the same.
    kill_process(pid, Signal::HUP).unwrap();
    wait_for(&server, "loaded again");
    assert!(!is_denied(&write(&server, "a")));
}

#[test]
fn what_takes_a_restart_is_said() {
    let stage = Stage::new(&[(USER, OPEN)]);
    let server = serve(&stage, &[]);
    stage.tree.write(
        USER,
        &format!("{OPEN}[tools]\ndisable = ['grep']\n[session]\nstore = 'off'\n"),
    );
    wait_for(&server, "session");
    let listed = server.request("tools/list", json!({})).message();
    assert!(listed.to_string().contains("\"grep\""), "{listed}");
}

#[test]
fn the_first_host_that_can_be_fetched_takes_a_restart() {
    let stage = Stage::new(&[(USER, OPEN)]);
    let server = serve(&stage, &[]);
    stage
        .tree
        .write(USER, &format!("{OPEN}[url_scope]\nallow = ['x.example']\n"));
    wait_for(&server, "url_scope.allow: it has changed; that counts after a restart");
    let listed = server.request("tools/list", json!({})).message();
    assert!(!listed.to_string().contains("fetch_url"), "{listed}");
}
