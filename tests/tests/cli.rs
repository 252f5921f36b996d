//! The command line: results, errors, exit codes, help.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_tests::support::{Tree, command, run, run_with_input};

#[test]
fn a_result_is_one_line_of_json() {
    let tree = Tree::new(&[("a.txt", "one\ntwo\n")]);
    let done = run(&["call", "--root", tree.text(), "read_file", r#"{"path": "a.txt"}"#]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.json()["content"].to_string().contains("two"), "{done:?}");
    assert_eq!(done.stderr, "", "nothing to say when all is well");
}

#[test]
fn a_failure_is_an_object_too_and_exits_with_1() {
    let tree = Tree::new(&[("a.txt", "x")]);
    let failure = |tool: &str, arguments: &str| {
        let done = run(&["call", "--root", tree.text(), tool, arguments]);
        assert_eq!(done.status, Some(1), "{done:?}");
        let error = done.json();
        let text = error["error"].as_str().expect("a text").to_owned();
        (error["kind"].as_str().expect("a kind").to_owned(), text)
    };
    let (kind, _) = failure("read_file", r#"{"path": "absent"}"#);
    assert_eq!(kind, "not_found");

    let (kind, text) = failure("raed_file", "{}");
    assert_eq!(kind, "not_found");
    assert!(text.contains("raed_file") && text.contains("read_file"), "{text}");

    let (kind, text) = failure("read_file", r#"{"path": "a.txt", "lmit": 1}"#);
    assert_eq!(kind, "invalid_arguments");
    assert!(text.contains("lmit") && text.contains("limit"), "{text}");

    let (kind, text) = failure("read_file", r#"{"path": "#);
    assert_eq!(kind, "invalid_arguments");
    assert!(text.contains("line 1"), "{text}");

    let (kind, text) = failure("read_file", r#"{"path": "a.txt", "path": "b.txt"}"#);
    assert_eq!(kind, "invalid_arguments");
    assert!(text.contains("path") && text.contains("twice"), "{text}");

    // Nobody can be asked here.
    let (kind, _) = failure("write_file", r#"{"path": "b.txt", "content": "x"}"#);
    assert_eq!(kind, "denied");
    assert_eq!(tree.read("b.txt"), None);
}

#[test]
fn arguments_can_come_from_standard_input() {
    let tree = Tree::new(&[("a.txt", "one\n")]);
    let call = ["call", "--root", tree.text(), "--mode", "acceptEdits"];
    let done = run_with_input(&[&call[..], &["read_file", "-"]].concat(), "{\"path\":\n\"a.txt\"}\n");
    assert_eq!(done.status, Some(0), "{done:?}");

    let big = json!({"path": "big.txt", "content": "x\n".repeat(1 << 19)}).to_string();
    let done = run_with_input(&[&call[..], &["write_file", "-"]].concat(), &big);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert_eq!(tree.read("big.txt").map(|text| text.len()), Some(1 << 20));

    let done = run_with_input(&[&call[..], &["read_file", "-"]].concat(), "");
    assert_eq!(done.status, Some(1));
    assert_eq!(done.json()["kind"], "invalid_arguments");

    let done = run_with_input(&[&call[..], &["write_file", "-"]].concat(), &" ".repeat((64 << 20) + 1));
    assert_eq!(done.status, Some(2), "{done:?}");
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_would_work() {
    let tree = Tree::new(&[("bad.toml", "[permissions]\nmdoe = \"yolo\"\n")]);
    let bad = format!("{}/bad.toml", tree.text());
    let missing = format!("{}/missing", tree.text());
    let cases: [(&[&str], &str); 9] = [
        (&["--mode", "accept-edits", "tools"], "acceptEdits"),
        (&["tols"], "tools"),
        (&["call"], "<TOOL>"),
        (&["call", "--deadlin", "3", "stat"], "--deadline"),
        (&["call", "--deadline", "0", "stat"], "above 0"),
        (&["--allow-path", "/srv:x", "tools"], "rw"),
        (&["--config", &bad, "tools"], "did you mean \"mode\""),
        (&["--root", &missing, "tools"], &missing),
        (&["serve", "--stdio", "--http", "127.0.0.1:0"], "--http"),
    ];
    for (arguments, expected) in cases {
        let done = run(arguments);
        assert_eq!(done.status, Some(2), "{arguments:?}: {done:?}");
        assert!(
            done.stderr.contains(expected),
            "{arguments:?} should mention {expected:?}: {done:?}"
        );
        assert_eq!(done.stdout, "", "{arguments:?}");
    }
}

#[test]
fn tools_can_be_left_out() {
    let listed = |options: &[&str]| -> Vec<String> {
        let listed = run(&[options, &["tools", "--json"]].concat()).json();
        let tools = listed.as_array().expect("a list").iter();
        tools
            .map(|tool| tool["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let all = listed(&[]);
    let without = |names: &[&str]| -> Vec<String> {
        let kept = all.iter().filter(|name| !names.contains(&name.as_str()));
        kept.cloned().collect()
    };
    assert_eq!(listed(&["--disable-tools", "grep,stat"]), without(&["grep", "stat"]));
    assert_eq!(
        listed(&["--disable-tools", "grep", "--disable-tools", "stat, grep"]),
        without(&["grep", "stat"])
    );
    // After the verb, too.
    let done = run(&["call", "--disable-tools", "stat", "stat", r#"{"path": "."}"#]);
    assert_eq!(done.status, Some(1));
    assert_eq!(done.json()["kind"], "not_found");

    for names in ["bsah", "grep,bsah", "bsah,bsah"] {
        for verb in [&["tools"][..], &["call", "list_dir"], &["serve", "--stdio"]] {
            let done = run(&[&["--disable-tools", names], verb].concat());
            assert_eq!(done.status, Some(2), "{verb:?}: {done:?}");
            assert_eq!(done.stdout, "", "{verb:?}");
            assert!(done.stderr.contains("\"bsah\""), "{verb:?}: {done:?}");
            for name in &all {
                assert!(
                    done.stderr.contains(name.as_str()),
                    "{verb:?}: {name} is not listed: {done:?}"
                );
            }
            assert_eq!(done.stderr.lines().count(), 1, "{verb:?}: {done:?}");
        }
    }
    let done = run(&["--disable-tools", "", "tools"]);
    assert_eq!(done.status, Some(2), "{done:?}");
}

#[test]
fn digests_can_be_switched_off() {
    let names = |options: &[&str]| run(&[options, &["tools"]].concat()).stdout;
    assert!(names(&[]).contains("retrieve_raw"));
    for option in ["--no-digest", "--no-mcp-digest"] {
        let left = names(&[option]);
        assert!(
            !left.contains("retrieve_raw") && left.contains("todo"),
            "{option}: {left}"
        );
    }
    let help = run(&["--help"]).stdout;
    assert!(
        help.contains("--no-digest") && !help.contains("--no-mcp-digest"),
        "{help}"
    );
}

#[test]
fn a_session_has_a_name() {
    let long = "x".repeat(257);
    for name in ["", long.as_str()] {
        for verb in [&["call", "todo"][..], &["serve", "--stdio"]] {
            let done = run(&[verb, &["--session", name]].concat());
            assert_eq!(done.status, Some(2), "{verb:?}: {done:?}");
            assert!(done.stderr.contains("1 to 256 bytes"), "{verb:?}: {done:?}");
            assert_eq!(done.stdout, "", "{verb:?}");
        }
    }
    let done = run(&["serve", "--session", "s"]);
    assert_eq!(done.status, Some(2), "a session over HTTP has its own name: {done:?}");
    assert!(done.stderr.contains("--stdio"), "{done:?}");
}

#[test]
fn help_shows_examples() {
    for verb in [
        "",
        "call",
        "tools",
        "serve",
        "approvals",
        "inspect",
        "doctor",
        "completions",
    ] {
        let arguments: Vec<&str> = [verb, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let done = run(&arguments);
        assert_eq!(done.status, Some(0), "{verb}");
        let example = format!("  toolgate {verb}");
        assert!(
            done.stdout.contains("Examples:") && done.stdout.contains(&example),
            "{verb}: {}",
            done.stdout
        );
        assert!(!done.stdout.contains('\u{1b}'), "{verb}: styles in a pipe");
    }
}

#[test]
fn nothing_is_styled_in_a_pipe() {
    let tree = Tree::new(&[]);
    for arguments in [
        &["tools"][..],
        &["tools", "--json"],
        &["doctor"],
        &["inspect", "read_file"],
        &["call", "list_dir", "{}"],
        &["call", "stat", "{}"],
        &["nonsense"],
    ] {
        let done = run(&[&["--root", tree.text()], arguments].concat());
        assert!(
            !done.stdout.contains('\u{1b}') && !done.stderr.contains('\u{1b}'),
            "{arguments:?}: {done:?}"
        );
    }
}

#[test]
fn the_tools_are_listed_for_people_and_programs() {
    let text = run(&["tools"]);
    let listed = run(&["tools", "--json"]).json();
    let names: Vec<&str> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    for name in ["grep", "list_dir", "read_file", "stat", "write_file"] {
        assert!(names.contains(&name) && text.stdout.contains(name), "{name}: {names:?}");
    }
    assert!(names.is_sorted());
    for tool in listed.as_array().expect("a list") {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
        assert_eq!(tool["origin"], "built-in");
    }
}

#[test]
fn a_component_shows_what_it_can_reach() {
    let read = run(&["inspect", "read_file", "--json"]).json();
    assert!(
        read["digest"]
            .as_str()
            .is_some_and(|digest| digest.starts_with("sha256:")),
        "{read}"
    );
    assert!(read["size_bytes"].as_u64().is_some_and(|size| size > 1000), "{read}");
    let imports = read["imports"].as_array().expect("imports");
    assert!(
        imports
            .iter()
            .any(|import| import["name"].to_string().contains("filesystem")),
        "{read}"
    );
    assert!(imports.iter().all(|import| import["granted"] == true), "{read}");

    let unknown = run(&["inspect", "raed_file"]);
    assert_eq!(unknown.status, Some(2));
    assert!(unknown.stderr.contains("read_file"), "{unknown:?}");

    let tree = Tree::new(&[("no.wasm", "not a component")]);
    let broken = run(&["inspect", &format!("{}/no.wasm", tree.text())]);
    assert_eq!(broken.status, Some(2), "{broken:?}");
    assert!(broken.stderr.contains("no.wasm"), "{broken:?}");
}

#[test]
fn the_doctor_finds_what_is_needed() {
    let report = run(&["doctor", "--json"]).json();
    assert_eq!(report["ok"], true, "{report}");
    let status = |name: &str| {
        report["checks"]
            .as_array()
            .expect("checks")
            .iter()
            .find(|check| check["name"] == name)
            .map(|check| check["status"].clone())
    };
    assert_eq!(status("kernel"), Some(Value::from("ok")));
    assert_eq!(status("openat2"), Some(Value::from("ok")));
    for name in ["Landlock", "seccomp", "user namespaces", "wasm toolchain"] {
        assert!(status(name).is_some(), "{name} is not looked at: {report}");
    }
}

#[test]
fn completions_know_the_verbs() {
    for shell in ["bash", "zsh", "fish"] {
        let done = run(&["completions", shell]);
        assert_eq!(done.status, Some(0));
        for word in ["inspect", "doctor", "acceptEdits"] {
            assert!(done.stdout.contains(word), "{shell}: {word} is missing");
        }
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = command()
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut stderr)
        .expect("UTF-8");
    let status = child.wait().expect("the binary ends");
    assert!(status.success() && stderr.is_empty(), "{status}: {stderr}");
}

#[test]
fn only_the_named_variable_changes_logging() {
    let tree = Tree::new(&[("a", "x")]);
    let call = |variable: &str| {
        let done = command()
            .args(["call", "--root", tree.text(), "stat", r#"{"path": "a"}"#])
            .env(variable, "trace")
            .output()
            .expect("the binary runs");
        assert!(
            serde_json::from_slice::<Value>(&done.stdout).is_ok(),
            "logs stay off standard output"
        );
        done.stderr.len()
    };
    assert!(call("TOOLGATE_LOG") > 0);
    assert_eq!(call("RUST_LOG"), 0);
}

#[test]
fn a_deadline_is_kept() {
    let started = Instant::now();
    let arguments = [
        "call",
        "--root",
        "/usr",
        "--deadline",
        "0.001",
        "grep",
        r#"{"pattern": "a.*b.*c.*zzz"}"#,
    ];
    let done = run(&arguments);
    assert!(started.elapsed() < Duration::from_secs(60));
    assert_eq!(done.status, Some(1), "{done:?}");
    assert_eq!(done.json()["kind"], "deadline", "{done:?}");
}
