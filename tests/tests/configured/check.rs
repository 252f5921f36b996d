//! `toolgate check`.

use serde_json::Value;

use crate::stage::Stage;

const USER: &str = "config/toolgate/config.toml";
const PROJECT: &str = "project/.agents/toolgate.toml";

#[test]
fn everything_wrong_at_once() {
    let stage = Stage::new(&[
        (USER, "[permissions]\nmode = 'Ask'\n\n[limits]\nconcurrency = 0\n"),
        (PROJECT, "[permissions]\ndney = []\n"),
    ]);
    let arguments = ["--deny", "bash:[", "check"];
    let done = stage.run(&arguments);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{done:?}");
    for expected in [
        "config.toml:2: permissions.mode",
        "config.toml:5",
        "toolgate.toml:2",
        "--deny",
    ] {
        assert!(done.stderr.contains(expected), "{expected}: {done:?}");
    }
    let report = stage.run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(report.status, Some(2));
    let report = report.json();
    assert_eq!(report["ok"], false);
    let problems = report["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 4, "{report}");
    assert_eq!(problems[0]["origin"]["line"], 2, "{report}");
    // A start says the same.
    let start = stage.refused(&["--deny", "bash:[", "tools"]);
    assert!(start.contains("config.toml:5") && start.contains("--deny"), "{start}");
}

#[test]
fn what_only_a_start_would_find() {
    let stage = Stage::new(&[(USER, "[tools]\nplugins = ['none.wasm']\ndisable = ['gerp']\n")]);
    let report = stage.run(&["check", "--json"]);
    assert_eq!(report.status, Some(2), "{report:?}");
    assert!(report.stdout.contains("none.wasm"), "{report:?}");
    stage.tree.write(USER, "[tools]\ndisable = ['grep', 'gerp']\n");
    let report = stage.run(&["--enable-tools", "golb", "check", "--json"]).json();
    let problems = report["problems"].to_string();
    assert!(
        problems.contains("did you mean \\\"grep\\\"") && problems.contains("did you mean \\\"glob\\\""),
        "{report}"
    );
    assert_eq!(report["problems"][0]["key"], "tools.disable", "{report}");
    stage.tree.write(USER, "[path_scope]\nallow = ['/...']\n");
    assert_eq!(stage.run(&["check"]).status, Some(2));
}

#[test]
fn each_value_and_where_it_came_from() {
    let stage = Stage::new(&[
        (USER, "[permissions]\nmode = 'plan'\ndeny = [\n  'write_file:a',\n]\n"),
        (PROJECT, "[permissions]\ndeny = ['write_file:b']\nmode = 'yolo'\n"),
    ]);
    let done = stage.run(&["--allow", "write_file:c", "check"]);
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""), "{done:?}");
    let line = |key: &str| {
        done.stdout
            .lines()
            .find(|line| line.starts_with(key))
            .unwrap()
            .to_owned()
    };
    assert!(line("permissions.mode = \"plan\"").ends_with(&format!("# {}:2", stage.text(USER))));
    assert!(line("permissions.deny[0]").ends_with("config.toml:4"));
    assert!(line("permissions.deny[1]").ends_with("toolgate.toml:2"));
    assert!(line("permissions.allow[0]").ends_with("# --allow"));
    assert!(line("limits.creates = 10000").ends_with("# default"));
    for expected in [
        "(operator)",
        "(project, not trusted",
        "1 key passed over",
        "permissions.mode: passed over",
    ] {
        assert!(
            done.stdout.contains(expected),
            "{expected} is missing in {}",
            done.stdout
        );
    }
    let report = stage.run(&["check", "--json"]).json();
    assert_eq!(report["config"]["permissions"]["mode"], "plan");
    assert_eq!(report["files"][1]["trusted"], false);
}

#[test]
fn remarks_on_what_does_nothing() {
    let rules = [
        "[permissions]",
        "mode = 'allow'",
        "allow = [",
        "  'write_file:src/**',",
        "  'wirte_file:x',",
        "  'edit_file:~/notes',",
        "  'grep',",
        "]",
        "deny = ['write_file:*']",
        "[tool_output.per_tool.gerp]",
        "max_lines = 3",
    ];
    let stage = Stage::new(&[(USER, &rules.join("\n"))]);
    let report = stage.run(&["check", "--json"]);
    assert_eq!(report.status, Some(0), "remarks are no errors: {report:?}");
    let report = report.json();
    let remarks: Vec<String> = report["remarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    for (line, expected) in [
        (4, "never decides"),
        (5, "did you mean \\\"write_file\\\""),
        (6, "can never match"),
        (7, "did you mean \\\"grep:*\\\""),
        (11, "did you mean \\\"grep\\\""),
    ] {
        let place = format!("\"line\":{line}}}");
        let found = remarks
            .iter()
            .any(|remark| remark.contains(expected) && remark.contains(&place));
        assert!(found, "line {line}: {expected} is missing in {remarks:#?}");
    }
    stage.tree.write(USER, "[permissions]\nmode = 'allow'\n");
    let text = stage.run(&["check"]).stdout;
    assert!(text.contains("permissions.allow: it is empty"), "{text}");
}

#[test]
fn secrets_stay_where_they_are() {
    let stage = Stage::new(&[(
        "c.json",
        r#"{"url_scope": {"headers": {"x.org": {"Authorization": "Bearer hunter2"}}, "proxy": "http://me:hunter2@proxy:1"}, "model": {"key": "hunter2"}}"#,
    )]);
    let file = stage.text("c.json");
    for arguments in [
        &["check"][..],
        &["check", "--json"],
        &["--print-config"],
        &["--print-config=json"],
        &["tools"],
    ] {
        let done = stage.run(&[&["-c", &file], arguments].concat());
        assert_eq!(done.status, Some(0), "{done:?}");
        assert!(
            !done.stdout.contains("hunter2") && !done.stderr.contains("hunter2"),
            "{done:?}"
        );
    }
}

#[test]
fn files_cannot_steer_the_terminal() {
    let stage = Stage::new(&[(
        PROJECT,
        "[permissions]\ndeny = [\"a\\u001b[2J\\u202e\"]\nallow = [\"\\u001b[8m\"]\n",
    )]);
    for arguments in [&["check"][..], &["tools"], &["trust"]] {
        let done = stage.run(arguments);
        assert!(
            !done.stdout.contains('\u{1b}') && !done.stderr.contains('\u{1b}'),
            "{done:?}"
        );
        assert!(!done.stdout.contains('\u{202e}'), "{done:?}");
    }
}

#[test]
fn variables_that_the_manifest_does_not_declare() {
    let alerts = "[[alerts.targets]]\nname = 'a'\nurl_env = 'HOOK'\ntemplate = 'generic'\n\
                  auth = { basic_env_user = 'HOOK_USER', basic_env_pass = 'HOOK_PASS' }\n";
    let stage = Stage::new(&[
        (USER, alerts),
        (
            "project/.agents/env.yaml",
            "version: 1\nenv:\n  - name: HOOK\n  - name: HOOK_PASS\n",
        ),
    ]);
    let report = stage.run(&["check", "--json"]).json();
    let remarks = report["remarks"].to_string();
    assert!(
        remarks.contains("alerts.targets[0].auth.basic_env_user") && remarks.contains("HOOK_USER"),
        "{report}"
    );
    assert!(
        !remarks.contains("variable HOOK,") && !remarks.contains("HOOK_PASS"),
        "{report}"
    );
}
