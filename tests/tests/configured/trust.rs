//! `toolgate trust`.

use std::io::Write;
use std::process::Stdio;

use crate::stage::Stage;

const FILE: &str = "project/.agents/toolgate.toml";
const YOLO: &str = "[permissions]\nmode = 'yolo'\nallow = ['write_file:x']\ndeny = ['edit_file:*']\n";

#[test]
fn a_file_counts_once_it_is_trusted_and_until_it_changes() {
    let stage = Stage::new(&[(FILE, YOLO)]);
    assert!(!stage.can_write(&[], "a"));
    let notes = || {
        let done = stage.run(&["tools"]);
        let notes: Vec<_> = done
            .stderr
            .lines()
            .filter(|line| line.starts_with("note:"))
            .map(str::to_owned)
            .collect();
        notes.join("\n")
    };
    let start = notes();
    assert_eq!(start.lines().count(), 1, "{start}");
    for expected in [FILE, "permissions.allow, permissions.mode", "`toolgate trust`"] {
        assert!(start.contains(expected), "{expected}: {start}");
    }

    let done = stage.run(&["trust", "--yes"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stdout.contains("permissions.mode = \"yolo\"") && done.stdout.contains("[\"write_file:x\"]"));
    assert!(!done.stdout.contains("permissions.deny"), "it takes no trust: {done:?}");
    assert!(stage.can_write(&[], "a"));
    assert_eq!(notes(), "");
    let listed = stage.run(&["trust", "--list"]).stdout;
    assert!(
        listed.contains(&stage.text(FILE)) && !listed.contains("changed"),
        "{listed}"
    );

    stage.tree.write(FILE, &format!("{YOLO}unscoped = true\n"));
    assert!(!stage.can_write(&[], "a"));
    assert!(notes().contains("permissions.unscoped"));
    assert!(stage.run(&["trust", "--list"]).stdout.contains("has changed since"));
    // The bytes count.
    stage.tree.write(FILE, YOLO);
    assert!(stage.can_write(&[], "a"));

    let done = stage.run(&["trust", "--remove"]);
    assert!(done.stdout.contains("not trusted any more"), "{done:?}");
    assert!(!stage.can_write(&[], "a"));
    assert!(
        stage
            .run(&["trust", "--list"])
            .stdout
            .contains("no project file is trusted")
    );
}

#[test]
fn somebody_must_say_so() {
    let stage = Stage::new(&[(FILE, YOLO)]);
    let done = stage.run(&["trust"]);
    assert_eq!(done.status, Some(2), "{done:?}");
    assert!(done.stderr.contains("--yes"), "{done:?}");
    // A pipe is nobody.
    let mut child = stage
        .command("project", &["trust"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // It may have said no before it could have read this.
    let _ = child.stdin.take().unwrap().write_all(b"y\n");
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(!stage.can_write(&[], "a"));
}

#[test]
fn the_operator_is_asked_on_the_terminal() {
    for (answer, trusted) in [("y", true), ("n", false), ("", false)] {
        let stage = Stage::new(&[(FILE, YOLO)]);
        // `script` gives the program a terminal.
        let program = toolgate_tests::support::toolgate();
        let mut script = std::process::Command::new("script");
        script
            .args(["-qec", &format!("'{}' trust", program.display()), "/dev/null"])
            .current_dir(stage.path("project"))
            .envs(stage.environment())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = script.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(format!("{answer}\n").as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("Trust it? [y/N]"), "{text}");
        assert_eq!(output.status.code(), Some(i32::from(!trusted)), "{text}");
        assert_eq!(stage.can_write(&[], "a"), trusted, "{answer}");
    }
}

#[test]
fn projects_and_files_by_name() {
    let stage = Stage::new(&[
        ("one/.agents/toolgate.toml", YOLO),
        (
            "one/.agents/config.json",
            r#"{"tools": {"use_builtin": true}, "permissions": {"unscoped": true}}"#,
        ),
        ("two/.agents/toolgate.toml", "[permissions]\ndeny = ['x:*']\n"),
    ]);
    let done = stage.run(&["trust", "../one/.agents/toolgate.toml", "-y"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    let listed = stage.run(&["trust", "--list"]).stdout;
    assert!(
        listed.contains("one/.agents/toolgate.toml") && !listed.contains("config.json"),
        "{listed}"
    );
    let done = stage.run(&["trust", "../one", "--yes"]);
    assert!(
        done.stdout.contains("permissions.unscoped") && done.stdout.contains("is trusted\n"),
        "{done:?}"
    );
    let done = stage.run(&["trust", "../two", "--yes"]);
    assert!(done.stdout.contains("wants nothing that takes trust"), "{done:?}");
    assert_eq!(stage.run(&["trust", "--list"]).stdout.lines().count(), 2);
    // A file that is gone can be forgotten.
    std::fs::remove_file(stage.path("one/.agents/config.json")).unwrap();
    let done = stage.run(&["trust", "--remove", "../one/.agents/config.json"]);
    assert!(done.stdout.contains("not trusted any more"), "{done:?}");
    let done = stage.run(&["trust"]);
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains(".agents/toolgate.toml"), "{done:?}");
}

#[test]
fn a_broken_file_is_not_trusted() {
    let stage = Stage::new(&[(FILE, "[permissions]\nmode = 'Yolo'\n")]);
    let done = stage.run(&["trust", "--yes"]);
    assert_eq!(done.status, Some(2), "{done:?}");
    assert!(done.stderr.contains("toolgate.toml:2"), "{done:?}");
}
