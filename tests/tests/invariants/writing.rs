//! What is written is there, edits can be undone, and failures change nothing.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgate::Mode;

use crate::scratch::{Scratch, call, check, text};
use crate::snapshot::snapshot;
use crate::trees::{tree, utf8};

#[test]
fn what_is_written_is_read_again() {
    let scratch = Scratch::new();
    let host = scratch.host(Mode::Yolo, |_| {});
    check(
        64,
        (tree(), utf8(), any::<prop::sample::Index>()),
        |(tree, content, which)| {
            let case = scratch.case(&tree);
            let path = which.get(&case.paths()).clone();
            if fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
                return;
            }
            let arguments = json!({"path": text(&path), "content": content});
            if call(&host, "write_file", arguments).is_ok() {
                assert_eq!(fs::read_to_string(&path).unwrap(), content);
                let read = call(&host, "read_file", json!({"path": text(&path)})).unwrap();
                assert_eq!(read["content"], *content);
            }
        },
    );
}

#[test]
fn an_edit_and_its_reverse_restore_the_file() {
    let scratch = Scratch::new();
    let host = scratch.host(Mode::Yolo, |_| {});
    let range = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    // Its ends occur in no content, so that it is found only where it was put.
    let new = "«[ -~\n]{0,30}»";
    check(128, (utf8(), range, new), |(content, (from, to), new)| {
        let boundaries: Vec<usize> = (0..=content.len()).filter(|at| content.is_char_boundary(*at)).collect();
        let (from, to) = (*from.get(&boundaries), *to.get(&boundaries));
        let old = &content[from.min(to)..from.max(to)];
        if old.is_empty() {
            return;
        }
        let path = scratch.inside().join("edited");
        fs::write(&path, &content).unwrap();
        let edit = |old: &str, new: &str| {
            let arguments = json!({"path": text(&path), "old_string": old, "new_string": new, "replace_all": true});
            call(&host, "edit_file", arguments).unwrap()["replacements"]
                .as_u64()
                .unwrap()
        };
        let replaced = edit(old, &new);
        assert_eq!(fs::read_to_string(&path).unwrap(), content.replace(old, &new));
        assert_eq!(edit(&new, old), replaced);
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
        // Without the flag, only a text that is there once.
        let arguments = json!({"path": text(&path), "old_string": old, "new_string": new});
        assert_eq!(call(&host, "edit_file", arguments).is_ok(), replaced == 1);
    });
}

#[test]
fn failed_changes_change_nothing() {
    let scratch = Scratch::new();
    let host = scratch.host(Mode::Yolo, |_| {});
    let failures = std::cell::Cell::new(0);
    check(64, (tree(), utf8()), |(tree, content)| {
        let case = scratch.case(&tree);
        let mut calls: Vec<(&str, Value)> = Vec::new();
        for path in case.paths() {
            let below = path.join("below/it");
            let long = path.join("x".repeat(300));
            let up = path.join("../../../O/secret.txt");
            for path in [&path, &below, &long, &up].map(|path| text(path)) {
                let edit = |old: &str, new: &str| json!({"path": path, "old_string": old, "new_string": new});
                calls.extend([
                    ("write_file", json!({"path": path, "content": content})),
                    ("edit_file", edit("needle", "thread")),
                    ("edit_file", edit("not in there", "")),
                    ("edit_file", edit("e", "e")),
                ]);
            }
            calls.push(("delete_file", json!({"path": text(&below)})));
            calls.push(("delete_file", json!({"path": text(&path)})));
        }
        let both = || (snapshot(&case.top, false), snapshot(&scratch.outside(), true));
        let mut before = both();
        for (tool, arguments) in calls {
            let outcome = call(&host, tool, arguments.clone());
            let after = both();
            if outcome.is_err() {
                failures.set(failures.get() + 1);
                assert!(after == before, "{tool} {arguments} failed and changed something");
            }
            assert!(after.1 == before.1, "{tool} {arguments} reached out of the scope");
            before = after;
        }
    });
    assert!(failures.get() > 500, "only {} calls failed", failures.get());
}
