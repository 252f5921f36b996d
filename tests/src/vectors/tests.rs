//! The tables are well formed, and the comparison notices what it is there to notice.

#![allow(clippy::unwrap_used, reason = "a test may end here")]

use std::collections::HashSet;

use serde_json::{Value, json};

use super::*;

fn workspace(setup: Value) -> Workspace {
    let steps: Vec<Step> = serde_json::from_value(setup).unwrap();
    Workspace::create(&steps).unwrap()
}

fn expect_unique<'a>(ids: impl Iterator<Item = &'a String>) {
    let mut seen = HashSet::new();
    for id in ids {
        assert!(seen.insert(id), "the id {id} occurs twice");
    }
}

#[test]
fn tool_tables_can_be_read_and_set_up() {
    let names = [
        "read_file",
        "read_many_files",
        "write_file",
        "edit_file",
        "delete_file",
        "stat",
        "list_dir",
        "glob",
        "grep",
        "json_query",
        "view_file_outline",
        "todo",
        "record_plan",
    ];
    for name in names {
        let table = load(name);
        expect_unique(table.rows.iter().map(|row| &row.id));
        for row in &table.rows {
            assert!(!row.calls.is_empty(), "{name} {} makes no call", row.id);
            Workspace::create(&row.setup).unwrap_or_else(|error| panic!("{name} {}: {error}", row.id));
        }
    }
}

#[test]
fn path_tables_can_be_read_and_set_up() {
    let scope = load_table::<PathScopeRow>("path-scope");
    expect_unique(scope.rows.iter().map(|row| &row.id));
    Workspace::create(&scope.setup).unwrap();
    for row in &scope.rows {
        assert_eq!(
            row.load_error,
            row.access.is_none(),
            "{} needs an access or a load error",
            row.id
        );
        assert_eq!(
            row.access.is_some(),
            row.request.is_some(),
            "{} needs request and access together",
            row.id
        );
    }

    let deny = load_table::<PathDenyRow>("path-deny");
    expect_unique(deny.rows.iter().map(|row| &row.id));
    assert!(deny.rows.iter().flat_map(PathDenyRow::cases).count() >= 220);
    assert!(deny.rows.iter().all(|row| row.load_error == (row.cases().count() == 0)));
}

#[test]
fn policy_tables_can_be_read() {
    let modes = load_table::<OperationRow>("modes");
    for case in mode_cases(&modes.rows) {
        assert!(
            ["ask", "allow", "yolo", "plan", "acceptEdits"].contains(&case.mode),
            "{}",
            case.id
        );
    }
    assert!(modes.rows.iter().all(|row| row.verdicts.len() == 10));
    expect_unique(load_table::<PatternRow>("patterns").rows.iter().map(|row| &row.id));
    expect_unique(load_table::<CapsRow>("caps").rows.iter().map(|row| &row.id));
    let truncate = load_table::<TruncateRow>("truncate");
    assert!(
        truncate
            .rows
            .iter()
            .all(|row| row.input.text().len() as u64 == row.original_bytes)
    );
}

#[test]
fn misspelt_keys_are_refused() {
    for step in [
        json!({"file": "W/a", "text": "x", "mod": "0600"}),
        json!({"dir": "W/d", "mod": "0755"}),
        json!({"symlink": "W/l", "two": "a", "to": "a"}),
    ] {
        assert!(serde_json::from_value::<Step>(step.clone()).is_err(), "{step}");
    }
    let two_contents: Step = serde_json::from_value(json!({"file": "W/a", "text": "x", "latin1": "y"})).unwrap();
    assert!(Workspace::create(&[two_contents]).is_err());
    assert!(serde_json::from_value::<After>(json!({"absent": "W/a", "of": "W"})).is_err());
    assert!(serde_json::from_value::<Row>(json!({"id": "X1", "calls": [], "afterwards": []})).is_err());
}

#[test]
fn matchers_accept_and_refuse() {
    let workspace = workspace(json!([]));
    let path = workspace.expand("W/a");
    for (expected, right, wrong) in [
        (json!("W/a"), json!(path), json!("W/a")),
        (json!([1, {"$starts": "x"}]), json!([1, "xy"]), json!([1, "y"])),
        (json!({"a": 1}), json!({"a": 1}), json!({"a": 1, "b": 2})),
        (json!({"$fields": {"a": 1}}), json!({"a": 1, "b": 2}), json!({"b": 2})),
        (
            json!({"$contains": "W/a"}),
            json!(format!("{path}.")),
            json!({"$lacks": ""}),
        ),
        (json!({"$starts": "b"}), json!("bc"), json!("cb")),
        (json!({"$ends": "b"}), json!("ab"), json!("ba")),
        (json!({"$lacks": "b"}), json!("a"), json!("abc")),
        (json!({"$shape": "##Z"}), json!("12Z"), json!("1aZ")),
        (json!({"$repeat": ["ab", 2]}), json!("abab"), json!("ab")),
        (json!({"$len": 2}), json!([1, 2]), json!([1])),
        (json!({"$max_bytes": 2}), json!("é"), json!("éa")),
        (json!({"$present": true}), json!(0), Value::Null),
        (
            json!({"$pluck": {"field": "n", "is": ["a", "b"]}}),
            json!([{"n": "a"}, {"n": "b"}]),
            json!([{"n": "b"}]),
        ),
        (
            json!({"$all": [{"$starts": "a"}, {"$ends": "b"}]}),
            json!("ab"),
            json!("a"),
        ),
    ] {
        assert_eq!(matches_value(&expected, Some(&right), &workspace), Ok(()), "{expected}");
        assert!(
            matches_value(&expected, Some(&wrong), &workspace).is_err(),
            "{expected} took {wrong}"
        );
        assert!(
            matches_value(&expected, None, &workspace).is_err(),
            "{expected} took a missing field"
        );
    }
    assert_eq!(matches_value(&json!({"$absent": true}), None, &workspace), Ok(()));
    assert!(matches_value(&json!({"$absent": true}), Some(&json!(1)), &workspace).is_err());
    assert!(matches_value(&json!({"$regex": "a"}), Some(&json!("a")), &workspace).is_err());
}

#[test]
fn failures_are_told_apart() {
    let workspace = workspace(json!([]));
    let failure = |kind: &str, message: &str| {
        Err(CallFailure {
            kind: kind.to_owned(),
            message: message.to_owned(),
        })
    };
    let check = |expected: Value, actual: &Result<Value, CallFailure>| {
        matches(&serde_json::from_value(expected).unwrap(), actual, &workspace).is_ok()
    };
    let missing = failure("not_found", "File Not Found");
    assert!(check(json!({"err": ["not found"], "kind": "not_found"}), &missing));
    assert!(check(json!({"err": []}), &missing));
    assert!(check(json!({"err_any": ["gone", "found"]}), &missing));
    assert!(!check(json!({"err": ["directory"]}), &missing));
    assert!(!check(json!({"err_any": ["gone"]}), &missing));
    assert!(!check(json!({"err": [], "not": ["file"]}), &missing));
    assert!(!check(json!({"denied": true}), &missing));
    assert!(!check(json!({"ok": {}}), &missing));
    assert!(!check(json!({"err": []}), &Ok(json!({}))));
    assert!(check(json!({"ok": {"a": 1}}), &Ok(json!({"a": 1, "b": 2}))));
    assert!(!check(json!({"ok": {"a": 1}}), &Ok(json!({"a": 2}))));
}

#[test]
fn the_disk_is_looked_at() {
    let workspace = workspace(json!([
        {"file": "W/a", "text": "x", "mode": "0600"}, {"symlink": "W/l", "to": "a"}, {"dir": "W/d"},
    ]));
    let check = |after: Value| check_after(&serde_json::from_value::<Vec<After>>(after).unwrap(), &workspace).is_ok();
    assert!(check(
        json!([{"file": "W/a", "latin1": "x", "mode": "0600"}, {"symlink": "W/l", "to": "a"}])
    ));
    assert!(check(
        json!([{"absent": "W/b"}, {"entries": ["a", "d", "l"], "of": "W"}, {"prompts": 0}])
    ));
    assert!(check(
        json!([{"any_of": [{"absent": "W/a"}, {"mode": "0600", "of": "W/a"}]}])
    ));
    assert!(!check(json!([{"file": "W/a", "text": "y"}])));
    assert!(!check(json!([{"file": "W/l", "text": "x"}])));
    assert!(!check(json!([{"mode": "0644", "of": "W/a"}])));
    assert!(!check(json!([{"absent": "W/l"}])));
    assert!(!check(json!([{"symlink": "W/a"}])));
    assert!(!check(json!([{"entries": ["a"], "of": "W"}])));
    assert!(!check(json!([{"prompts": 1}])));
    assert!(!check(json!([{"any_of": [{"absent": "W/a"}, {"absent": "W/d"}]}])));
}

#[tokio::test]
async fn a_row_makes_its_calls_and_reports_the_first_difference() {
    let row = |concurrent: bool| -> Row {
        let call = |text: &str| json!({"tool": "echo", "args": {"path": "W/a"}, "expect": {"ok": {"text": text}}});
        let calls = [call("W/a"), call("W/b")];
        serde_json::from_value(json!({"id": "X1", "concurrent": concurrent, "calls": calls})).unwrap()
    };
    for concurrent in [false, true] {
        let workspace = workspace(json!([]));
        let echo = async |_: &str, args: Value| {
            tokio::task::yield_now().await;
            Ok(json!({"text": args["path"]}))
        };
        let error = run_row(&row(concurrent), &workspace, echo).await.unwrap_err();
        assert!(error.starts_with("X1, call 2 (echo): text: expected"), "{error}");
    }
}
