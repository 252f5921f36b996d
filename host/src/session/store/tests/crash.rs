use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{get, raw};
use crate::session::store::{SessionStore, SqliteStore};

const DIRECTORY: &str = "TOOLGATE_TEST_STORE";

/// Of several chunks, so that a kill can hit the middle of one.
fn payload(number: u64) -> String {
    format!("{number}é").repeat(30_000)
}

/// Writes until it is killed; a number is printed once all of it is stored.
#[test]
#[ignore = "the child of the test below, which kills it"]
fn writer() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let store = SqliteStore::open(Path::new(&directory)).unwrap();
    for number in 1.. {
        let counted = store.put("s", "p", "count", &number.to_string().into_bytes(), number - 1);
        assert_eq!(counted, Ok(number));
        store
            .put_payload("s", &number.to_string(), "grep", &payload(number))
            .unwrap();
        println!("stored {number}");
    }
}

#[test]
fn a_killed_process_leaves_every_acknowledged_change() {
    let (_crate, module) = module_path!().split_once("::").unwrap();
    for round in 0..5 {
        let directory = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("{module}::writer"), "--ignored", "--nocapture"])
            .env(DIRECTORY, directory.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stored = 0;
        // The harness prints its own words around ours, also on the same line.
        for line in BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
        {
            if let Some((_, number)) = line.split_once("stored ") {
                stored = number.parse::<u64>().unwrap();
            }
            if stored == 20 + 7 * round {
                child.kill().unwrap();
            }
        }
        assert!(!child.wait().unwrap().success());
        assert!(stored >= 20 + 7 * round, "the writer stopped by itself");

        let store = SqliteStore::open(directory.path()).unwrap();
        let (value, version) = get(&store, "s", "p", "count").unwrap();
        assert_eq!(value, version.to_string().into_bytes());
        assert!(version == stored || version == stored + 1, "{version} after {stored}");
        for number in 1..=stored {
            assert_eq!(raw(&store, "s", &number.to_string()), Some(payload(number)), "{number}");
        }
        // One more may have been stored and not told; half of one may not.
        if let Some(unacknowledged) = raw(&store, "s", &(stored + 1).to_string()) {
            assert_eq!(unacknowledged, payload(stored + 1));
        }
        assert_eq!(store.put("s", "p", "count", b"on", version), Ok(version + 1));
        assert_eq!(healthy(&store), "ok");
    }
}

fn healthy(store: &SqliteStore) -> String {
    store
        .lock()
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .unwrap()
}
