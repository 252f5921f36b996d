use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, UNIX_EPOCH};

use super::super::*;
use super::*;

#[test]
fn a_record_says_who_what_why_and_how_it_ended() {
    let place = Place::new();
    let arguments = json!({"path": "/p/a", "content": "x".repeat(1000), "b": [1, {"z": null, "a": 1.5}]});
    let options = AuditOptions {
        host: Some("h1".to_owned()),
        ..place.options()
    };
    let audit = Audit::open(options).unwrap();
    assert!(!place.directory.exists(), "nothing is made before the first record");
    audit.record_blocking(&Entry {
        time: UNIX_EPOCH + Duration::from_millis(1),
        call_id: Some("c1"),
        origin: Some("built-in"),
        arguments: Some(&arguments),
        decision: Some(Decided {
            allowed: true,
            by: Some("the rule \"write_file:/p/*\""),
            origin: Some("/p/.agents/toolgate.toml"),
        }),
        approver: Some(Approver {
            who: "joe",
            how: "terminal",
        }),
        result: Some("{}"),
        resources: Resources {
            wall: Duration::from_micros(153),
            memory: Some(65536),
            ..Resources::default()
        },
        ..Entry::new("s1", "write_file")
    });
    audit.record_blocking(&Entry {
        error: Some(Failure {
            kind: "denied",
            message: "no\u{1b}[2J\nway",
        }),
        ..Entry::new("s\n1", "to\"ol")
    });
    drop(audit);

    let text = String::from_utf8(place.current()).unwrap();
    let lines = lines(&place.directory);
    assert_eq!(lines.len(), 3);
    let first = &lines[1];
    assert_eq!(first["seq"], 2);
    assert_eq!(first["time"], "1970-01-01T00:00:00.001Z");
    assert_eq!(
        (&first["host"], &first["session"], &first["call"]),
        (&json!("h1"), &json!("s1"), &json!("c1"))
    );
    assert_eq!(first["decided_by"], "the rule \"write_file:/p/*\"");
    assert_eq!(first["rule_origin"], "/p/.agents/toolgate.toml");
    assert_eq!(
        (&first["approver"], &first["approved_through"]),
        (&json!("joe"), &json!("terminal"))
    );
    assert_eq!(first["arguments"]["content"]["$bytes"], 1000);
    assert_eq!(first["arguments"]["content"]["$text"], "x".repeat(256));
    assert_eq!(first["arguments"]["b"], json!([1, {"a": 1.5, "z": null}]));
    let canonical = serde_json::to_string(&arguments).unwrap();
    assert_eq!(
        first["arguments_blake3"],
        blake3::hash(canonical.as_bytes()).to_string()
    );
    assert_eq!(first["bytes_in"], canonical.len());
    assert_eq!(
        (&first["bytes_out"], &first["wall_us"], &first["memory_bytes"]),
        (&json!(2), &json!(153), &json!(65536))
    );
    assert_eq!(
        (&first["outcome"], &first["decision"]),
        (&json!("ok"), &json!("allowed"))
    );
    assert_eq!(lines[2]["outcome"], "denied");
    assert_eq!(lines[2]["message"], "no\u{1b}[2J\nway");
    assert_eq!(lines[2]["session"], "s\n1");
    assert_eq!(lines[2]["prev"], lines[1]["hash"]);
    assert!(!text.contains('\u{1b}'));
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn the_longest_line_has_a_bound() {
    let place = Place::new();
    let worst = "\u{1}".repeat(100_000);
    let mut arguments = serde_json::Map::new();
    for name in 0..10_000 {
        arguments.insert(format!("{name}{worst:.300}"), json!([worst.get(..200), {"x": name}]));
    }
    let arguments = Value::Object(arguments);
    let audit = place.open();
    audit.record_blocking(&Entry {
        call_id: Some(&worst),
        origin: Some(&worst),
        arguments: Some(&arguments),
        decision: Some(Decided {
            allowed: false,
            by: Some(&worst),
            origin: Some(&worst),
        }),
        approver: Some(Approver {
            who: &worst,
            how: &worst,
        }),
        result: Some(&worst),
        error: Some(Failure {
            kind: &worst,
            message: &worst,
        }),
        resources: Resources {
            wall: Duration::MAX,
            guest: Some(Duration::MAX),
            waited: Some(Duration::MAX),
            memory: Some(u64::MAX),
            bytes_in: Some(u64::MAX),
            bytes_out: Some(u64::MAX),
        },
        ..Entry::new(&worst, &worst)
    });
    // The greatest arguments that are not replaced as a whole.
    let mut arguments = serde_json::Map::new();
    for name in 0..45 {
        arguments.insert(format!("{name:02}"), json!(worst.get(..28)));
    }
    let arguments = Value::Object(arguments);
    audit.record_blocking(&Entry {
        arguments: Some(&arguments),
        ..Entry::new("s", "t")
    });
    drop(audit);
    let longest = place.current().split(|byte| *byte == b'\n').map(<[u8]>::len).max();
    assert!(longest.unwrap() < MAX_LINE, "{longest:?}");
    let lines = lines(&place.directory);
    assert!(lines[1]["arguments"]["$bytes"].as_u64().unwrap() > 10_000_000);
    assert_eq!(lines[2]["arguments"]["44"], worst[..28]);
    assert!(place.verify().is_complete());
}

#[test]
fn deep_arguments_are_no_danger() {
    let place = Place::new();
    let deep = (0..10_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    let mut arguments = serde_json::Map::new();
    arguments.insert("deep".to_owned(), deep);
    let arguments = Value::Object(arguments);
    let audit = place.open();
    audit.record_blocking(&Entry {
        arguments: Some(&arguments),
        ..Entry::new("s", "t")
    });
    drop(audit);
    assert!(place.verify().is_complete());
    // Dropping it would recurse as deep as it is.
    std::mem::forget(arguments);
}

#[test]
fn files_are_private_and_others_are_refused() {
    let place = Place::new();
    place.write(1);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&place.directory), 0o700);
    for name in ["audit.jsonl", "audit.key", "audit.lock", "audit.head"] {
        assert_eq!(mode(&place.file(name)), 0o600, "{name}");
    }
    std::fs::set_permissions(place.file("audit.jsonl"), PermissionsExt::from_mode(0o644)).unwrap();
    place.write(1);
    assert_eq!(mode(&place.file("audit.jsonl")), 0o600);

    std::fs::set_permissions(place.file("audit.key"), PermissionsExt::from_mode(0o640)).unwrap();
    let audit = place.open();
    record(&audit, "s", 1);
    let error = audit.flush(Duration::from_secs(5)).unwrap_err();
    assert!(
        matches!(error, AuditError::Key { .. }) && error.to_string().contains("0640"),
        "{error}"
    );
    drop(audit);
    std::fs::set_permissions(place.file("audit.key"), PermissionsExt::from_mode(0o600)).unwrap();
    std::fs::set_permissions(&place.directory, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(matches!(verify(&place.directory), Err(AuditError::Directory { .. })));
    let audit = place.open();
    record(&audit, "s", 1);
    assert!(matches!(
        audit.flush(Duration::from_secs(5)),
        Err(AuditError::Directory { .. })
    ));
}

#[test]
fn links_are_not_followed() {
    let place = Place::new();
    place.write(1);
    let outside = place.directory.parent().unwrap().join("outside");
    std::fs::rename(place.file("audit.jsonl"), &outside).unwrap();
    std::os::unix::fs::symlink(&outside, place.file("audit.jsonl")).unwrap();
    let before = std::fs::read(&outside).unwrap();
    let audit = place.open();
    record(&audit, "s", 1);
    assert!(matches!(
        audit.flush(Duration::from_secs(5)),
        Err(AuditError::File { .. })
    ));
    drop(audit);
    assert_eq!(std::fs::read(&outside).unwrap(), before);
}

#[test]
fn options_that_cannot_work_are_refused() {
    let place = Place::new();
    let mut options = place.options();
    options.config.max_file_bytes = 10;
    assert!(Audit::open(options).unwrap_err().to_string().contains("65536"));
    let mut options = place.options();
    options.config.keep_files = 1;
    assert!(Audit::open(options).unwrap_err().to_string().contains("keep_files"));
    assert!(serde_json::from_str::<AuditConfig>(r#"{"sink":"each"}"#).is_err());
    let config: AuditConfig = serde_json::from_str(r#"{"sync":"each","on_failure":"stop"}"#).unwrap();
    assert_eq!((config.sync, config.on_failure), (Sync::Each, OnFailure::Stop));
}

#[test]
fn records_are_selected_and_shown_safely() {
    let place = Place::new();
    let audit = place.open();
    for number in 0..30 {
        record(&audit, ["a", "b\u{1b}[2J"][number % 2], number);
    }
    drop(audit);
    let shown = |filter: &Filter| {
        let mut out = Vec::new();
        let count = show(&mut out, &place.directory, filter).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), count);
        text
    };
    assert_eq!(shown(&Filter::default()).lines().count(), 31);
    let some = Filter {
        session: Some("b\u{1b}[2J".to_owned()),
        tail: Some(3),
        ..Filter::default()
    };
    let text = shown(&some);
    assert_eq!(text.lines().count(), 3);
    assert!(
        text.lines().last().unwrap().contains("file-29.rs") && !text.contains('\u{1b}'),
        "{text}"
    );
    let json = shown(&Filter { json: true, ..some });
    assert!(
        json.lines()
            .all(|line| serde_json::from_str::<Value>(line).unwrap()["session"] == "b\u{1b}[2J")
    );
    let none = Filter {
        tool: Some("grep".to_owned()),
        ..Filter::default()
    };
    assert_eq!(shown(&none), "");
    let mut out = Vec::new();
    write_report(&mut out, &place.verify(), false).unwrap();
    assert!(String::from_utf8(out).unwrap().contains("Complete: 31 lines, 30 calls"));
    let mut out = Vec::new();
    write_report(&mut out, &place.verify(), true).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&out).unwrap()["records"], 30);
}
