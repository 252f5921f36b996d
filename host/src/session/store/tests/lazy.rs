use std::time::Duration;

use super::text;
use crate::session::store::{LazyStore, SessionStore, SqliteStore, StoreError};

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn opening_forgets_what_nobody_used() {
    let directory = tempfile::tempdir().unwrap();
    LazyStore::new(directory.path(), HOUR)
        .put("s", "p", "k", b"v", 0)
        .unwrap();
    assert!(
        LazyStore::new(directory.path(), HOUR)
            .get("s", "p", "k")
            .unwrap()
            .is_some()
    );
    assert_eq!(
        LazyStore::new(directory.path(), Duration::ZERO).get("s", "p", "k"),
        Ok(None)
    );
}

#[test]
fn nothing_is_made_before_something_is_put() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("state");
    let store = LazyStore::new(&directory, HOUR);
    assert_eq!(store.get("s", "p", "k"), Ok(None));
    assert_eq!(store.payload("s", "a", 0, 1), Ok(None));
    assert_eq!(store.payloads("s"), Ok(Vec::new()));
    assert_eq!(store.end_session("s"), Ok(()));
    assert_eq!(store.sweep(Duration::ZERO), Ok(0));
    // Arguments are judged as by a store that is there.
    text(store.get("s", "p", ""), StoreError::Quota);
    text(store.payload("s", "..", 0, 1), StoreError::InvalidId);
    text(store.payloads(""), StoreError::InvalidId);
    text(store.end_session(""), StoreError::InvalidId);
    assert!(!directory.exists());

    assert_eq!(store.put("s", "p", "k", b"v", 0), Ok(1));
    assert!(directory.join("sessions.db").exists());
    assert_eq!(store.get("s", "p", "k").unwrap().unwrap().value, b"v");
}

#[test]
fn what_another_process_made_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let store = LazyStore::new(directory.path(), HOUR);
    assert_eq!(store.payload("s", "a", 0, 1), Ok(None));
    let other = SqliteStore::open(directory.path()).unwrap();
    other.put_payload("s", "a", "grep", "x").unwrap();
    assert_eq!(store.payload("s", "a", 0, 1).unwrap().unwrap().text, "x");
    assert_eq!(store.payloads("s").unwrap().len(), 1);
    store.end_session("s").unwrap();
    assert_eq!(other.payloads("s"), Ok(Vec::new()));
}

#[test]
fn an_error_of_opening_is_not_kept() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("state");
    std::fs::write(&directory, "in the way").unwrap();
    let store = LazyStore::new(&directory, HOUR);
    text(store.put("s", "p", "k", b"v", 0), StoreError::Unavailable);
    text(store.get("s", "p", "k"), StoreError::Unavailable);
    std::fs::remove_file(&directory).unwrap();
    assert_eq!(store.put("s", "p", "k", b"v", 0), Ok(1));
}

#[test]
fn first_callers_share_one_store() {
    let directory = tempfile::tempdir().unwrap();
    let store = LazyStore::new(directory.path(), HOUR);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let store = &store;
            scope.spawn(move || store.put("s", "p", &thread.to_string(), b"", 0).unwrap());
        }
    });
    assert!((0..8).all(|thread| store.get("s", "p", &thread.to_string()).unwrap().is_some()));
}
