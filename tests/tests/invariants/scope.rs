//! FX-20: nothing outside the scope is told of, and walks ask nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate::gate::Asked;
use toolgate::{Call, Decision, Mode, PromptRequest, Prompter, SessionOptions};

use crate::reading::readings;
use crate::scratch::{CANARY, Scratch, UNSPOKEN, call, check, text};
use crate::snapshot::snapshot;
use crate::trees::tree;

#[test]
fn nothing_outside_the_scope_is_told() {
    let scratch = Scratch::new();
    let hosts = [Mode::Allow, Mode::Yolo].map(|mode| scratch.host(mode, |_| {}));
    let outside = scratch.outside();
    let before = snapshot(&outside, true);
    check(64, tree(), |tree| {
        let case = scratch.case(&tree);
        let mut paths = vec![outside.clone(), outside.join("secret.txt"), outside.join("sub")];
        for path in case.paths() {
            paths.extend(
                ["secret.txt", "sub/secret.txt", "../O/secret.txt", "../../O/sub"].map(|below| path.join(below)),
            );
        }
        for host in &hosts {
            let mut calls = readings(host, &case);
            for path in &paths {
                let path = text(path);
                calls.extend([
                    ("read_file", json!({"path": path})),
                    ("stat", json!({"path": path})),
                    ("list_dir", json!({"path": path})),
                    ("read_many_files", json!({"paths": [path]})),
                    ("read_many_files", json!({"pattern": "*", "path": path})),
                    ("glob", json!({"pattern": "*", "path": path})),
                    ("grep", json!({"pattern": "needle", "path": path})),
                    (
                        "edit_file",
                        json!({"path": path, "old_string": "needle", "new_string": CANARY.to_lowercase()}),
                    ),
                ]);
            }
            for (tool, arguments) in calls {
                let told = match call(host, tool, arguments.clone()) {
                    Ok(result) => Value::Object(result).to_string(),
                    Err(error) => error.message,
                };
                assert!(
                    !told.contains(CANARY) && !told.contains(UNSPOKEN),
                    "{tool} {arguments} told {told}"
                );
            }
        }
        assert!(snapshot(&outside, true) == before, "something outside has changed");
    });
}

#[test]
fn a_missing_file_outside_looks_like_one_that_exists() {
    let scratch = Scratch::new();
    for mode in [Mode::Allow, Mode::Yolo] {
        let host = scratch.host(mode, |_| {});
        for tool in [
            "read_file",
            "stat",
            "list_dir",
            "glob",
            "grep",
            "write_file",
            "edit_file",
            "delete_file",
        ] {
            let told = |name: &str| {
                let path = text(&scratch.outside().join(name)).to_owned();
                let arguments = match tool {
                    "glob" | "grep" => json!({"pattern": "x", "path": path}),
                    "write_file" => json!({"path": path, "content": "x"}),
                    "edit_file" => json!({"path": path, "old_string": "x", "new_string": "y"}),
                    _ => json!({"path": path}),
                };
                let error = call(&host, tool, arguments).unwrap_err();
                (error.kind, error.message.replace(name, "NAME"))
            };
            assert_eq!(told("secret.txt"), told("absent.txt"), "{tool}");
            assert_eq!(told("sub"), told("bus"), "{tool}");
        }
    }
}

struct Counter(Arc<AtomicUsize>);

impl Prompter for Counter {
    fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(Decision::Once.into()) })
    }
}

#[test]
fn walks_ask_nobody() {
    let scratch = Scratch::new();
    let host = scratch.host(Mode::Ask, |_| {});
    let count = Arc::new(AtomicUsize::new(0));
    let ask = |tool: &str, arguments: Value| {
        let options = SessionOptions {
            prompter: Some(Arc::new(Counter(Arc::clone(&count)))),
            ..SessionOptions::default()
        };
        host.session(options).call_blocking(Call::new(tool, arguments))
    };
    check(64, tree(), |tree| {
        let case = scratch.case(&tree);
        let root = text(&case.top);
        for (tool, arguments) in [
            ("glob", json!({"pattern": "**", "path": root})),
            ("grep", json!({"pattern": "^", "path": root})),
            ("grep", json!({"pattern": "needle", "path": root})),
            ("read_many_files", json!({"pattern": "*", "path": root})),
        ] {
            let result = ask(tool, arguments).unwrap();
            assert!(!result.text.contains(CANARY), "{tool}: {}", result.text);
        }
        assert_eq!(count.load(Ordering::SeqCst), 0);
    });
    // It would be asked, were there something to ask.
    let outside = json!({"path": text(&scratch.outside().join("secret.txt"))});
    ask("read_file", outside).unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 1);
}
