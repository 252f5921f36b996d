use std::time::Duration;

use super::{bare, get, memory, on_disk, raw, text};
use crate::session::store::{SessionStore, SqliteStore, StoreError};

fn fill(store: &SqliteStore, session: &str) {
    store.put(session, "todo", "list", b"x", 0).unwrap();
    store.put_payload(session, "a", "grep", "raw").unwrap();
}

fn is_there(store: &SqliteStore, session: &str) -> bool {
    let state = get(store, session, "todo", "list").is_some();
    assert_eq!(raw(store, session, "a").is_some(), state);
    assert_eq!(store.payloads(session).unwrap().len(), usize::from(state));
    state
}

#[test]
fn an_ended_session_is_gone_and_starts_anew() {
    let (directory, store) = on_disk();
    fill(&store, "s");
    fill(&store, "t");
    store.end_session("s").unwrap();
    store.end_session("s").unwrap();
    store.end_session("never seen").unwrap();
    assert!(!is_there(&store, "s") && is_there(&store, "t"));
    for table in ["session", "state", "payload", "chunk"] {
        let rows = format!("SELECT count(*) FROM {table}");
        let rows: i64 = bare(directory.path()).query_row(&rows, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 1, "only t is left in {table}");
    }
    fill(&store, "s");
    assert_eq!(get(&store, "s", "todo", "list"), Some((b"x".to_vec(), 1)));
    text(store.end_session(""), StoreError::InvalidId);
}

#[test]
fn the_quota_of_an_ended_session_is_free_again() {
    let store = memory();
    for _ in 0..2 {
        for number in 0..16 {
            store.put("s", "p", &number.to_string(), &vec![0; 1 << 20], 0).unwrap();
        }
        store.end_session("s").unwrap();
    }
}

#[test]
fn a_sweep_ends_what_was_not_used() {
    let (directory, store) = on_disk();
    let hour = Duration::from_secs(3600);
    for session in ["idle", "read", "listed", "written", "fresh"] {
        fill(&store, session);
    }
    assert_eq!(store.sweep(hour), Ok(0));
    let aged = bare(directory.path());
    aged.execute_batch("UPDATE session SET touched = touched - 2 * 3600 * 1000 WHERE name <> 'fresh'")
        .unwrap();
    // Each of these is use.
    store.get("read", "todo", "no such key").unwrap();
    store.payloads("listed").unwrap();
    store.put("written", "todo", "list", b"y", 1).unwrap();
    assert_eq!(store.sweep(hour), Ok(1));
    assert!(!is_there(&store, "idle"));
    for session in ["read", "listed", "written", "fresh"] {
        assert!(is_there(&store, session), "{session}");
    }
    assert_eq!(store.sweep(Duration::MAX), Ok(0));
    assert_eq!(store.sweep(Duration::ZERO), Ok(4));
    assert_eq!(store.sweep(Duration::ZERO), Ok(0));
}

#[test]
fn reading_does_not_wait_to_note_use() {
    let (directory, store) = on_disk();
    fill(&store, "s");
    let other = bare(directory.path());
    other
        .execute_batch("UPDATE session SET touched = 0; BEGIN IMMEDIATE")
        .unwrap();
    let started = std::time::Instant::now();
    assert!(is_there(&store, "s"));
    assert!(started.elapsed() < Duration::from_secs(1));
    other.execute_batch("COMMIT").unwrap();
    assert!(is_there(&store, "s"));
    assert_eq!(
        store.sweep(Duration::from_secs(60)),
        Ok(0),
        "noted once nobody was in the way"
    );
}

#[test]
fn a_sweep_gives_space_back() {
    let (directory, store) = on_disk();
    let size = || {
        bare(directory.path())
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
            .unwrap();
        directory.path().join("sessions.db").metadata().unwrap().len()
    };
    let empty = size();
    store.put_payload("s", "a", "grep", &"x".repeat(20 << 20)).unwrap();
    assert!(size() > 20 << 20);
    assert_eq!(store.sweep(Duration::ZERO), Ok(1));
    assert!(size() <= empty + 8192, "{} of {empty}", size());
}
