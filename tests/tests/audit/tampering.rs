//! Changes to a log that real calls wrote.

use std::fs;

use serde_json::json;
use toolgate::audit::{FaultKind, verify};

use crate::stage::{Stage, records};

#[tokio::test]
async fn every_change_is_found_at_its_line() {
    let stage = Stage::new();
    for _ in 0..6 {
        stage.rig.call("stat", json!({"path": "a.txt"})).await.unwrap();
    }
    assert!(stage.verified().is_complete());
    let file = stage.log().join("audit.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 7);

    let changed = whole.replacen("\"outcome\":\"ok\"", "\"outcome\":\"no\"", 1);
    let mut swapped = lines.clone();
    swapped.swap(2, 4);
    let mut twice = lines.clone();
    twice.insert(3, lines[2]);
    let without = [&lines[..3], &lines[4..]].concat();
    let forged = lines[5].replace("\"outcome\":\"ok\"", "\"outcome\":\"ok\" ");
    let mut replaced = lines.clone();
    replaced[5] = &forged;
    for (what, text, kind, line) in [
        ("changed", changed, FaultKind::ChangedLine, 2),
        ("swapped", swapped.concat(), FaultKind::MissingLines, 3),
        ("repeated", twice.concat(), FaultKind::BrokenChain, 4),
        ("taken out", without.concat(), FaultKind::MissingLines, 4),
        ("a space more", replaced.concat(), FaultKind::ChangedLine, 6),
        ("the last ones cut off", lines[..5].concat(), FaultKind::MissingLines, 6),
        (
            "cut off within a line",
            whole[..whole.len() - 90].to_owned(),
            FaultKind::MissingLines,
            7,
        ),
        ("all but the first", lines[1..].concat(), FaultKind::ForeignFile, 1),
    ] {
        fs::write(&file, text).unwrap();
        let fault = verify(&stage.log())
            .unwrap()
            .fault
            .unwrap_or_else(|| panic!("{what}: not found"));
        assert_eq!(
            (fault.kind, fault.line, fault.file.as_str()),
            (kind, line, "audit.jsonl"),
            "{what}: {fault:?}"
        );
        assert!(!fault.detail.is_empty() && !fault.kind.meaning().is_empty());
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(
        verify(&stage.log()).unwrap().fault.unwrap().kind,
        FaultKind::MissingLines
    );
    fs::write(&file, &whole).unwrap();
    assert!(verify(&stage.log()).unwrap().is_complete());
}

#[tokio::test]
async fn a_log_that_was_cut_goes_on_and_says_so() {
    let stage = Stage::new();
    for _ in 0..4 {
        stage.rig.call("stat", json!({"path": "a.txt"})).await.unwrap();
    }
    stage.verified();
    let file = stage.log().join("audit.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let kept: String = whole.split_inclusive('\n').take(3).collect();
    fs::write(&file, kept).unwrap();
    stage.rig.call("stat", json!({"path": "a.txt"})).await.unwrap();
    let report = stage.verified();
    assert!(report.is_intact() && !report.is_complete(), "{report:?}");
    assert_eq!((report.losses[0].count, report.losses[0].line), (2, 4));
    assert_eq!(records(&stage.log()).len(), 3);
}
