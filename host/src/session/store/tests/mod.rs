//! Rules of the store, held against it in memory and on disk.
//! Called by the test harness only.
//! Must not touch: anything outside its own temporary directories.

mod crash;
mod disk_full;
mod ending;
mod files;
mod lazy;
mod lease;
mod paging;
mod payload;
mod race;
mod state;

use std::path::Path;

use super::{SessionStore, SqliteStore, StoreError};

/// A store in memory.
fn memory() -> SqliteStore {
    SqliteStore::in_memory().unwrap()
}

/// A store in a directory of its own, which lives as long as the first value.
fn on_disk() -> (tempfile::TempDir, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    (directory, store)
}

/// A bare connection to the file of a store, for what the store does not do itself.
fn bare(directory: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(directory.join("sessions.db")).unwrap()
}

/// The text of an error, of the expected kind by its constructor.
#[track_caller]
fn text<T: std::fmt::Debug>(result: Result<T, StoreError>, kind: fn(String) -> StoreError) -> String {
    let error = result.unwrap_err();
    let text = error.to_string();
    assert_eq!(error, kind(text.clone()));
    for word in ["SELECT", "INSERT", "DELETE", "PRAGMA", "TABLE", "constraint", "sqlite_"] {
        assert!(!text.contains(word), "{text} tells of SQL");
    }
    text
}

fn get(store: &SqliteStore, session: &str, space: &str, key: &str) -> Option<(Vec<u8>, u64)> {
    store
        .get(session, space, key)
        .unwrap()
        .map(|found| (found.value, found.version))
}

fn raw(store: &SqliteStore, session: &str, call_id: &str) -> Option<String> {
    store
        .payload(session, call_id, 0, u64::MAX)
        .unwrap()
        .map(|page| page.text)
}
