//! Which directory the project is, and what its own file may do.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::stage::Stage;

const FILE: &str = "project/.agents/toolgate.toml";

/// The project directory of a run, by what a relative path means there.
fn root(stage: &Stage, directory: &str, options: &[&str]) -> String {
    let arguments = json!({"path": "."}).to_string();
    let done = stage.run_in(directory, &[options, &["call", "stat", &arguments]].concat());
    assert_eq!(done.status, Some(0), "{done:?}");
    done.json()["path"].as_str().unwrap().to_owned()
}

#[test]
fn the_directory_that_holds_agents() {
    let stage = Stage::new(&[
        (FILE, "[path_scope]\ndeny = ['secret']\n"),
        ("project/a/b/x", ""),
        ("other/x", ""),
    ]);
    assert_eq!(root(&stage, "project/a/b", &[]), stage.text("project"));
    assert_eq!(root(&stage, "other", &[]), stage.text("other"));
    // What is named is meant; the project's own file counts all the same.
    assert_eq!(
        root(&stage, "other", &["--root", "../project/a"]),
        stage.text("project/a")
    );
    stage.tree.write("project/a/secret", "x");
    let arguments = json!({"path": "secret"}).to_string();
    let done = stage.run_in("other", &["--root", "../project/a", "call", "read_file", &arguments]);
    assert_eq!(done.status, Some(1), "{done:?}");
}

#[test]
fn a_home_is_no_project_for_what_lies_below() {
    let stage = Stage::new(&[("home/.agents/config.json", "{}"), ("home/work/x", "")]);
    let home = |directory: &str| {
        let mut command = stage.command(directory, &["call", "stat", r#"{"path": "."}"#]);
        let output = command
            .env("HOME", stage.path("home"))
            .env("XDG_CACHE_HOME", stage.path("cache"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        result["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(home("home/work"), stage.text("home/work"));
    assert_eq!(home("home"), stage.text("home"));
}

#[test]
fn a_directory_that_anybody_may_change_is_refused() {
    let stage = Stage::new(&[(FILE, "")]);
    let agents = stage.path("project/.agents");
    let set = |mode| fs::set_permissions(&agents, Permissions::from_mode(mode)).unwrap();
    set(0o777);
    let error = stage.refused(&["tools"]);
    let mend = format!("chmod o-w {}", agents.display());
    assert!(error.contains(&mend), "{error}");
    // As the message says.
    assert!(
        std::process::Command::new("sh")
            .args(["-c", &mend])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(stage.run(&["tools"]).status, Some(0));
    // Nobody can replace what is not theirs; the file is looked at by itself.
    set(0o1777);
    assert_eq!(stage.run(&["tools"]).status, Some(0));
    fs::set_permissions(stage.path(FILE), Permissions::from_mode(0o666)).unwrap();
    assert!(stage.refused(&["tools"]).contains("chmod o-w"));
    // A named configuration does without the project's.
    stage.tree.write("c.toml", "");
    assert_eq!(stage.run(&["-c", &stage.text("c.toml"), "tools"]).status, Some(0));
}

#[test]
fn what_grants_rights_is_never_changed_unasked() {
    let stage = Stage::new(&[("project/c.toml", "[permissions]\nmode = 'yolo'\n")]);
    let file = stage.text("project/c.toml");
    assert!(!stage.can_write(&["-c", &file], "c.toml"));
    assert!(stage.can_write(&["-c", &file], "d.toml"));
    // Nor made, where the next start would read it.
    let home = stage.text("project/home/toolgate/config.toml");
    let arguments = json!({"path": "home/toolgate/config.toml", "content": "x"}).to_string();
    let mut command = stage.command("project", &["--yolo", "call", "write_file", &arguments]);
    let output = command
        .env("XDG_CONFIG_HOME", stage.path("project/home"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!std::path::Path::new(&home).exists());
}

#[test]
fn a_shared_file_loads_as_it_is() {
    let stage = Stage::new(&[(
        "project/.agents/config.json",
        r#"{"version": 1, "model": {"name": "m"}, "zzz": 1, "permissions": {"deny": ["write_file:no"]}, "ui": {}, "otel": {}}"#,
    )]);
    let done = stage.run(&["--mode", "acceptEdits", "tools"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(
        done.stderr.contains("zzz") && done.stderr.contains("`toolgate check` shows"),
        "{}",
        done.stderr
    );
    assert!(!stage.can_write(&["--mode", "acceptEdits"], "no"));
    stage
        .tree
        .write("project/.agents/config.json", r#"{"permissions": {"dney": []}}"#);
    assert!(stage.refused(&["tools"]).contains("did you mean \"deny\""));
}
