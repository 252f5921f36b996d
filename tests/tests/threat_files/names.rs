//! F32: names that other programs left, made to break whoever prints them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use serde_json::json;
use toolgate::Config;

use crate::probe::{Guest, is_ok, on, op, open, read};

const NAMES: [&[u8]; 9] = [
    b"line\nbreak",
    b"\x1b[31mred\x1b]0;title\x07",
    b"carriage\rreturn",
    b"tab\there",
    "right\u{202e}txt.exe".as_bytes(),
    "e\u{301}".as_bytes(),
    b"quote\"back\\slash",
    b" leading and trailing ",
    &[b'n'; 255],
];
const NOT_UTF8: [&[u8]; 3] = [b"\xff\xfe", b"latin-\xe9", b"half-\xf0\x9f"];

fn build(base: &std::path::Path) {
    for name in NAMES.iter().chain(&NOT_UTF8) {
        fs::write(base.join("W").join(OsStr::from_bytes(name)), "needle\n").unwrap();
    }
}

#[test]
fn f32_hostile_names_are_only_names() {
    let guest = Guest::new(Config::default(), build);
    for name in NAMES.map(|name| std::str::from_utf8(name).unwrap()) {
        let outcomes = guest.run(&[open(name, "r"), read(), on("stat_at", name), on("unlink", name)]);
        assert!(outcomes.iter().all(|outcome| is_ok(outcome)), "{name:?}: {outcomes:?}");
        fs::write(guest.rig.inside().join(name), "needle\n").unwrap();
        let result = guest
            .call("read_file", json!({"path": guest.rig.inside().join(name)}))
            .unwrap();
        assert_eq!(result["content"], json!("needle\n"));
        assert_eq!(
            guest.call("stat", json!({"path": name})).unwrap()["exists"],
            json!(true)
        );
    }
    let outcomes = guest.run(&[op("list")]);
    let listed: Vec<String> = serde_json::from_str(outcomes[0].strip_prefix("ok:").unwrap()).unwrap();
    let mut expected: Vec<&str> = NAMES.iter().map(|name| std::str::from_utf8(name).unwrap()).collect();
    expected.sort_unstable();
    assert_eq!(
        listed, expected,
        "names that are not UTF-8 are left out, all others are whole"
    );
    assert_eq!(guest.call("list_dir", json!({})).unwrap()["total"], json!(NAMES.len()));
    let found = json!(guest.call("grep", json!({"pattern": "needle"})).unwrap()).to_string();
    assert!(found.contains("red"), "{found}");
    // Replacement characters and surrogates do not stand for the bytes they hide.
    for name in ["\u{fffd}\u{fffd}", "latin-\u{fffd}", "latin-é", "half-\u{fffd}"] {
        assert_eq!(guest.run(&[open(name, "r")]), ["no-entry"]);
    }
}

#[test]
fn f32_names_are_escaped_in_what_is_printed() {
    let base = tempfile::tempdir().unwrap();
    fs::create_dir(base.path().join("W")).unwrap();
    build(base.path());
    let root = base.path().join("W");
    for (tool, arguments) in [
        ("list_dir", json!({})),
        ("grep", json!({"pattern": "needle"})),
        ("stat", json!({"path": "\u{1b}[31mgone"})),
        ("read_file", json!({"path": "\u{1b}[31mgone\n"})),
    ] {
        let output = toolgate_tests::support::command()
            .args(["call", tool, &arguments.to_string(), "-vv", "--root"])
            .arg(&root)
            .output()
            .unwrap();
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(stream.clone()).expect("only UTF-8 is printed");
            let raw = text.chars().find(|char| char.is_control() && *char != '\n');
            assert_eq!(raw, None, "{tool}: {text:?}");
        }
        // One line, whatever the names hold.
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1, "{tool}");
    }
}
