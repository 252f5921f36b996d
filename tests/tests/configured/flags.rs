//! Each flag has its effect, wins over the files, and shows as origin.

use serde_json::{Value, json};
use toolgate_tests::rig::target;

use crate::stage::Stage;

const USER: &str = "config/toolgate/config.toml";

fn plugin() -> String {
    let path = target("components/count_lines.wasm");
    assert!(path.exists(), "{} is missing; run `make components`", path.display());
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

/// Where `check` says that a key comes from.
fn origin(stage: &Stage, options: &[&str], key: &str) -> Value {
    let done = stage.run(&[options, &["check", "--json"]].concat());
    assert_eq!(done.status, Some(0), "{done:?}");
    let report = done.json();
    let values = report["values"].as_array().unwrap();
    let row = values.iter().find(|row| row["key"] == key);
    row.unwrap_or_else(|| panic!("no {key} in {report}"))["origin"].clone()
}

#[test]
fn the_mode() {
    let stage = Stage::new(&[(USER, "[permissions]\nmode = 'plan'\n")]);
    assert!(!stage.can_write(&[], "a"));
    assert!(stage.can_write(&["--mode", "acceptEdits"], "a"));
    assert_eq!(
        origin(&stage, &["--mode", "ask"], "permissions.mode"),
        json!({"flag": "--mode"})
    );
    assert_eq!(
        origin(&stage, &[], "permissions.mode"),
        json!({"file": stage.text(USER), "line": 2})
    );
}

#[test]
fn yolo_asks_nobody() {
    let stage = Stage::new(&[(USER, "[permissions]\nmode = 'plan'\n"), ("project/.git/config", "")]);
    assert!(stage.can_write(&["--yolo"], "a"));
    assert!(!stage.can_write(&["--yolo"], ".git/config"));
    assert_eq!(
        origin(&stage, &["--yolo"], "permissions.mode"),
        json!({"flag": "--yolo"})
    );
    assert!(stage.refused(&["--yolo", "--mode", "ask", "tools"]).contains("--mode"));
}

#[test]
fn rules() {
    let stage = Stage::new(&[(USER, "[permissions]\nallow = ['write_file:a*']\n")]);
    assert!(stage.can_write(&[], "a1"));
    assert!(
        !stage.can_write(&["--deny", "write_file:*"], "a1"),
        "it wins over the file"
    );
    assert!(!stage.can_write(&[], "b"));
    assert!(stage.can_write(&["--allow", "write_file:b", "--allow=write_file:c"], "b"));
    assert_eq!(
        origin(&stage, &["--allow", "write_file:b"], "permissions.allow[1]"),
        json!({"flag": "--allow"})
    );
    for flag in ["--allow", "--deny"] {
        let error = stage.refused(&[flag, "bash:[", "tools"]);
        assert!(error.contains(flag) && error.contains("bash:["), "{error}");
    }
}

#[test]
fn paths() {
    let stage = Stage::new(&[("outside/a", "text")]);
    let outside = stage.text("outside/a");
    let read = |options: &[&str]| {
        let arguments = json!({"path": outside}).to_string();
        stage
            .run(&[options, &["call", "read_file", &arguments]].concat())
            .status
    };
    assert_eq!(read(&[]), Some(1));
    assert_eq!(read(&["--allow-path", &format!("{outside}:r")]), Some(0));
    assert!(!stage.can_write(&["--yolo", "--allow-path", &format!("{outside}:r")], &outside));
    assert!(stage.can_write(&["--yolo", "--allow-path", &format!("{outside}:rw")], &outside));
    for wrong in ["/tmp", ":r", "/tmp:x", "/tmp:"] {
        let error = stage.refused(&["--allow-path", wrong, "tools"]);
        assert!(error.contains("--allow-path") && error.contains(wrong), "{error}");
    }
    assert!(stage.refused(&["--allow-path", "/a/[:r", "tools"]).contains("/a/["));
}

#[test]
fn what_needs_a_missing_tool_says_so() {
    let stage = Stage::new(&[]);
    for (flag, value, tool) in [
        ("--allow-url-host", "x.org", "fetch_url"),
        ("--bash-search-gate", "warn", "bash"),
    ] {
        if stage.tools(&[]).iter().any(|name| name == tool) {
            continue;
        }
        let error = stage.refused(&[flag, value, "tools"]);
        assert!(error.contains(flag) && error.contains(tool), "{error}");
    }
    let error = stage.refused(&["--bash-search-gate", "off", "tools"]);
    assert!(
        error.contains("enforce") && error.contains("--bash-search-gate"),
        "{error}"
    );
    assert!(
        stage
            .refused(&["--allow-url-host", "http://", "tools"])
            .contains("--allow-url-host")
    );
}

#[test]
fn tools_that_must_be_there() {
    let stage = Stage::new(&[(USER, "[tools]\ndisable = ['stat']\n")]);
    assert!(
        stage
            .tools(&["--enable-tools", "grep, glob"])
            .contains(&"grep".to_owned())
    );
    let error = stage.refused(&["--enable-tools", "stat", "tools"]);
    assert!(error.contains("config.toml:2"), "{error}");
    let error = stage.refused(&["--enable-tools", "grep", "--disable-tools", "grep", "tools"]);
    assert!(error.contains("--disable-tools"), "{error}");
    let error = stage.refused(&["--enable-tools", "grpe", "tools"]);
    assert!(error.contains("did you mean \"grep\""), "{error}");
    let plugin = plugin();
    assert_eq!(
        stage
            .run(&["--plugin", &plugin, "--enable-tools", "count_lines", "tools"])
            .status,
        Some(0)
    );
    let error = stage.refused(&["--plugin", &plugin, "--enable-tools", "count_liens", "tools"]);
    assert!(
        error.contains("--enable-tools") && error.contains("did you mean \"count_lines\""),
        "{error}"
    );
}

#[test]
fn tools_to_leave_out() {
    let stage = Stage::new(&[(USER, "[tools]\ndisable = ['stat', 'alert']\n")]);
    let left = stage.tools(&["--disable-tools", "grep"]);
    assert!(!left.iter().any(|name| name == "stat" || name == "grep") && left.contains(&"glob".to_owned()));
    stage.tree.write(USER, "[tools]\ndisable = ['stat',\n 'sata']\n");
    let error = stage.refused(&["tools"]);
    assert!(error.contains("config.toml:3") && error.contains("\"sata\""), "{error}");
}

#[test]
fn without_the_built_in_tools() {
    let stage = Stage::new(&[]);
    assert!(stage.tools(&["--no-builtin-tools"]).is_empty());
    assert_eq!(
        stage.tools(&["--no-builtin-tools", "--plugin", &plugin()]),
        ["count_lines"]
    );
    // What they are called is still known.
    assert!(
        stage
            .tools(&["--no-builtin-tools", "--disable-tools", "grep"])
            .is_empty()
    );
}

#[test]
fn plugins_lie_beside_the_file_that_names_them() {
    let stage = Stage::new(&[("elsewhere/c.toml", "[tools]\nplugins = ['mine.wasm']\n")]);
    std::fs::copy(plugin(), stage.path("elsewhere/mine.wasm")).unwrap();
    let tools = stage.tools(&["-c", &stage.text("elsewhere/c.toml")]);
    assert!(tools.contains(&"count_lines".to_owned()), "{tools:?}");
}

#[test]
fn plans() {
    let stage = Stage::new(&[(USER, "[permissions]\nplan_mode = 'required'\n")]);
    let mode = |options: &[&str]| stage.effective(options, "/permissions/plan_mode");
    assert_eq!(mode(&[]), "required");
    assert_eq!(mode(&["--plan-mode", "advisory"]), "advisory");
    assert_eq!(mode(&["--plan-first=false"]), "off");
    stage.tree.write(USER, "");
    assert_eq!(mode(&["--plan-first"]), "required");
    assert_eq!(mode(&["--plan-first=true"]), "required");
    assert_eq!(mode(&["--plan-first", "--plan-mode", "off"]), "off");
    let error = stage.refused(&["--plan-mode", "advisery", "tools"]);
    assert!(
        error.contains("--plan-mode") && error.contains("did you mean \"advisory\""),
        "{error}"
    );
}

#[test]
fn digests() {
    let stage = Stage::new(&[(USER, "[tool_output]\ndigest = true\n")]);
    assert!(!stage.tools(&["--no-digest"]).contains(&"retrieve_raw".to_owned()));
    assert_eq!(
        origin(&stage, &["--no-digest"], "tool_output.digest"),
        json!({"flag": "--no-digest"})
    );
}

#[test]
fn named_files_are_the_only_ones() {
    let stage = Stage::new(&[
        (USER, "[permissions]\nmode = 'plan'\n"),
        ("project/.agents/toolgate.toml", "[permissions]\ndeny = ['*']\n"),
        ("a.toml", "[permissions]\nmode = 'yolo'\n"),
        ("b.toml", "[permissions]\ndeny = ['write_file:b']\n"),
    ]);
    let files = ["-c", &stage.text("a.toml"), "--config", &stage.text("b.toml")];
    assert!(stage.can_write(&files, "a"));
    assert!(!stage.can_write(&files, "b"));
    assert!(stage.refused(&["-c", "none.toml", "tools"]).contains("none.toml"));
}

#[test]
fn what_is_printed_can_be_loaded() {
    let stage = Stage::new(&[(
        USER,
        "[permissions]\nmode = 'plan'\n[[path_scope.allow_paths]]\npath = '/x'\naccess = 'r'\n",
    )]);
    let whole = stage.effective(&[], "");
    for (format, name) in [("toml", "c.toml"), ("json", "c.json")] {
        let done = stage.run(&[&format!("--print-config={format}"), "tools"]);
        assert_eq!(done.status, Some(0), "{done:?}");
        stage.tree.write(name, &done.stdout);
        assert_eq!(stage.effective(&["-c", &stage.text(name)], ""), whole, "{format}");
    }
    assert_eq!(
        stage.run(&["--print-config"]).stdout,
        stage.run(&["--print-config=toml"]).stdout
    );
    assert!(stage.refused(&["--print-config=yaml"]).contains("toml"));
}
