//! What reading leaves alone, and how what one tool says agrees with what another says.

use std::fs;

use serde_json::{Value, json};
use toolgate::config::CapsConfig;
use toolgate::{Host, Mode};

use crate::scratch::{Case, Scratch, call, check, has, limit, text};
use crate::snapshot::snapshot;
use crate::trees::tree;

/// Calls of everything that reads, on everything there is.
pub(crate) fn readings(host: &Host, case: &Case) -> Vec<(&'static str, Value)> {
    let paths = case.paths();
    let root = text(&case.top);
    let all: Vec<&str> = paths.iter().map(|path| text(path)).collect();
    let mut calls = vec![
        ("read_many_files", json!({"paths": all})),
        ("read_many_files", json!({"pattern": "*", "path": root})),
        ("glob", json!({"pattern": "**/*", "path": root})),
    ];
    for path in all {
        calls.extend([
            ("read_file", json!({"path": path})),
            ("read_file", json!({"path": path, "start_line": 2, "limit": 1})),
            ("stat", json!({"path": path})),
            ("list_dir", json!({"path": path})),
            ("glob", json!({"pattern": "*", "path": path})),
            ("grep", json!({"pattern": "needle|^$", "path": path})),
            ("json_query", json!({"query": ".", "path": path})),
            ("view_file_outline", json!({"path": path})),
        ]);
    }
    calls.retain(|(tool, _)| has(host, tool));
    calls
}

#[test]
fn reading_changes_nothing() {
    let scratch = Scratch::new();
    let host = scratch.host(Mode::Yolo, |_| {});
    check(64, tree(), |tree| {
        let case = scratch.case(&tree);
        let before = snapshot(&case.top, true);
        let (mut good, mut bad) = (0, 0);
        for (tool, arguments) in readings(&host, &case) {
            match call(&host, tool, arguments) {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
        }
        assert!(good >= 5 && bad >= 1, "{good} calls succeeded, {bad} failed");
        assert!(snapshot(&case.top, true) == before, "something changed");
    });
}

#[test]
fn windows_of_a_file_join_to_the_file() {
    let scratch = Scratch::new();
    let plain = scratch.host(Mode::Yolo, |_| {});
    // Less than most files have, more than the longest line.
    let narrow = scratch.host(Mode::Yolo, |config| {
        let caps = CapsConfig {
            max_bytes: 16_000,
            max_lines: 2,
        };
        limit(config, caps);
    });
    check(64, (tree(), 1..4_u64), |(tree, limit)| {
        let case = scratch.case(&tree);
        for path in case.paths() {
            let is_file = fs::symlink_metadata(&path).unwrap().is_file();
            let Some(content) = is_file.then(|| fs::read_to_string(&path).ok()).flatten() else {
                continue;
            };
            if content.contains('\0') {
                continue;
            }
            for (host, limit) in [(&plain, Some(limit)), (&narrow, Some(limit)), (&narrow, None)] {
                let (mut joined, mut offset) = (String::new(), Some(0));
                while let Some(at) = offset {
                    let mut arguments = json!({"path": text(&path), "offset": at});
                    if let Some(limit) = limit {
                        arguments["limit"] = limit.into();
                    }
                    let window = call(host, "read_file", arguments).unwrap();
                    joined.push_str(window["content"].as_str().unwrap());
                    offset = window.get("next_offset").map(|next| next.as_u64().unwrap());
                    assert!(offset.is_none_or(|next| next > at), "no progress at {at}");
                }
                assert_eq!(joined, content, "{}", path.display());
            }
        }
    });
}

#[test]
fn found_paths_exist_and_found_lines_are_there() {
    let scratch = Scratch::new();
    let host = scratch.host(Mode::Yolo, |_| {});
    check(64, tree(), |tree| {
        let case = scratch.case(&tree);
        let root = text(&case.top);
        for pattern in ["*", "**/a*", "*.{rs,go}", "[!a]*"] {
            let found = call(&host, "glob", json!({"pattern": pattern, "path": root})).unwrap();
            let paths: Vec<&str> = found["paths"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert!(paths.is_sorted_by(|one, other| one < other), "{paths:?}");
            for path in paths {
                assert!(path.starts_with(&format!("{root}/")), "{path}");
                assert!(fs::metadata(path).unwrap().is_file(), "{path}");
            }
        }
        for pattern in ["needle", "^$", "[^a]", "é", r"\S\s*$"] {
            let found = call(&host, "grep", json!({"pattern": pattern, "path": root})).unwrap();
            for found in found["matches"].as_array().unwrap() {
                let arguments = json!({"path": found["path"], "start_line": found["line"], "limit": 1});
                let line = call(&host, "read_file", arguments).unwrap();
                let line = line["content"].as_str().unwrap();
                let line = line.strip_suffix('\n').unwrap_or(line);
                let line = line.strip_suffix('\r').unwrap_or(line);
                let shown = found["text"].as_str().unwrap();
                let agrees = match found.get("clipped") {
                    Some(_) => line.len() > shown.len() && line.contains(shown.trim_matches('\u{fffd}')),
                    None => line == shown,
                };
                assert!(agrees, "{pattern}: {found} but the line is {line:?}");
            }
        }
    });
}
