//! The commands of the README, run as they stand.

// What cannot be set up must fail the test.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use toolgate_tests::rig::target;
use toolgate_tests::support;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The fenced blocks whose opening line is exactly this.
fn blocks(text: &str, fence: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut current: Option<String> = None;
    for line in text.lines() {
        match (&mut current, line) {
            (None, line) if line == fence => current = Some(String::new()),
            (Some(block), "```") => {
                all.push(std::mem::take(block));
                current = None;
            }
            (Some(block), line) => {
                block.push_str(line);
                block.push('\n');
            }
            _ => {}
        }
    }
    all
}

#[test]
fn shell_blocks() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = blocks(&readme, "```sh run");
    assert!(blocks.len() >= 3, "the README lost its commands");
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("README.md"), &readme).unwrap();
    std::fs::create_dir(project.path().join("src")).unwrap();
    std::fs::write(project.path().join("src/main.rs"), "// TODO\nfn main() {}\n").unwrap();
    let plugin = target("components/count_lines.wasm");
    std::fs::copy(&plugin, project.path().join("count_lines.wasm"))
        .unwrap_or_else(|error| panic!("{}: {error}; run `make components`", plugin.display()));
    let binary = support::toolgate();
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for block in blocks {
        let home = support::command();
        let mut shell = Command::new("bash");
        shell
            .args(["-euo", "pipefail", "-c", &block])
            .current_dir(project.path());
        for (name, value) in home.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let output = shell.env("PATH", &path).stdin(Stdio::null()).output().unwrap();
        assert!(
            output.status.success(),
            "{block}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(
        std::fs::read_to_string(project.path().join("notes.txt")).unwrap(),
        "hello\n"
    );
}

/// `make run` must come up, say where, and answer there.
#[test]
fn make_run() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    assert!(readme.contains("\nmake run "), "the README lost `make run`");
    let mut child = Command::new("make")
        .arg("run")
        .current_dir(repository())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let group = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    let mut said = String::new();
    let mut answer = None;
    for line in BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok)
    {
        said.push_str(&line);
        said.push('\n');
        if line.contains("Ctrl-C stops") {
            let address = said
                .split("http://")
                .nth(1)
                .and_then(|rest| rest.split('/').next())
                .unwrap();
            let body = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "readme", "version": "1"}}});
            answer = Some(support::post(address.parse().unwrap(), &[], &body.to_string()));
            break;
        }
    }
    rustix::process::kill_process_group(group, rustix::process::Signal::TERM).unwrap();
    child.wait().unwrap();
    let answer = answer.unwrap_or_else(|| panic!("`make run` did not come up:\n{said}"));
    assert_eq!(answer.status, 200, "{said}");
    for word in ["read_file", "mode", "root"] {
        assert!(said.contains(word), "{word} is missing in:\n{said}");
    }
}
