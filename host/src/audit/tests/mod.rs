//! Tests of the whole log: what is written, by whom, and what is found when it is not so any more.

mod failing;
mod latency;
mod many;
mod records;
mod rotation;
mod secrets;
mod tampering;
mod torn;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Audit, AuditOptions, Entry, Report, verify};

/// A directory for a log, not there yet, in one that is deleted in the end.
struct Place {
    _outer: tempfile::TempDir,
    directory: PathBuf,
}

impl Place {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let directory = outer.path().join("state");
        Self {
            _outer: outer,
            directory,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn current(&self) -> Vec<u8> {
        std::fs::read(self.file("audit.jsonl")).unwrap()
    }

    fn options(&self) -> AuditOptions {
        AuditOptions::new(&self.directory)
    }

    fn open(&self) -> Audit {
        Audit::open(self.options()).unwrap()
    }

    /// Writes that many records and closes the log.
    fn write(&self, count: usize) {
        let audit = self.open();
        for number in 0..count {
            record(&audit, "s", number);
        }
    }

    fn verify(&self) -> Report {
        verify(&self.directory).unwrap()
    }
}

fn record(audit: &Audit, session: &str, number: usize) {
    let arguments = json!({"path": format!("/project/src/file-{number}.rs"), "limit": number});
    audit.record_blocking(&Entry {
        arguments: Some(&arguments),
        result: Some("{\"content\":\"…\"}"),
        ..Entry::new(session, "read_file")
    });
}

/// Every line of the log, as JSON, oldest first.
fn lines(directory: &Path) -> Vec<Value> {
    let mut names: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".jsonl"))
        .collect();
    // `audit-…` comes before `audit.jsonl`.
    names.sort();
    let texts = names
        .iter()
        .map(|name| std::fs::read_to_string(directory.join(name)).unwrap());
    texts
        .flat_map(|text| {
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Runs `cargo test`'s own binary again, with one ignored test that does something to this directory.
fn child(test: &str, directory: &Path) -> std::process::Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--quiet", test])
        .env("TOOLGATE_TEST_AUDIT", directory)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

/// Where a child works; `None` if it is no child.
fn childs_directory() -> Option<PathBuf> {
    std::env::var_os("TOOLGATE_TEST_AUDIT").map(PathBuf::from)
}
