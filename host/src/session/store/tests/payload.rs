use std::time::{Duration, SystemTime};

use super::{bare, memory, on_disk, raw, text};
use crate::session::store::{SessionStore, StoreError, limits};

const MIB: usize = 1 << 20;

fn ids(store: &impl SessionStore, session: &str) -> Vec<String> {
    let listed = store.payloads(session).unwrap();
    listed.into_iter().map(|payload| payload.call_id).collect()
}

#[test]
fn the_latest_payload_of_an_id_wins_and_is_the_newest() {
    let store = memory();
    store.put_payload("s", "a", "grep", "first").unwrap();
    store.put_payload("s", "b", "glob", "other").unwrap();
    store.put_payload("t", "a", "grep", "of t").unwrap();
    store.put_payload("s", "a", "stat", "second").unwrap();
    assert_eq!(raw(&store, "s", "a").unwrap(), "second");
    assert_eq!(raw(&store, "t", "a").unwrap(), "of t");
    assert_eq!(ids(&store, "s"), ["b", "a"]);
    assert_eq!(store.payloads("s").unwrap()[1].tool, "stat");
}

#[test]
fn an_empty_payload_is_not_a_missing_one() {
    let store = memory();
    store.put_payload("s", "empty", "grep", "").unwrap();
    let page = store.payload("s", "empty", 0, 1).unwrap().unwrap();
    assert_eq!((page.text.as_str(), page.total_bytes, page.next_offset), ("", 0, None));
    assert_eq!(store.payload("s", "missing", 0, 1), Ok(None));
    assert_eq!(store.payload("unknown", "empty", 0, 1), Ok(None));
    assert_eq!(store.payloads("unknown"), Ok(Vec::new()));
}

#[test]
fn ids_are_plain() {
    let store = memory();
    for good in ["a", "A-9_.z", ".a", "-", "_", &"i".repeat(128)] {
        store.put_payload("s", good, "grep", good).unwrap();
        assert_eq!(raw(&store, "s", good).as_deref(), Some(good));
    }
    for bad in [
        "",
        ".",
        "..",
        "....",
        "a/b",
        "a b",
        "a\0",
        "é",
        "a\n",
        "a:b",
        &"i".repeat(129),
    ] {
        for told in [
            text(store.put_payload("s", bad, "grep", ""), StoreError::InvalidId),
            text(store.payload("s", bad, 0, 1), StoreError::InvalidId),
        ] {
            assert!(told.contains("128") && told.len() < 400, "{told}");
        }
    }
    text(store.put_payload("", "a", "grep", ""), StoreError::InvalidId);
    text(store.put_payload("s", "a", "", ""), StoreError::InvalidId);
    text(store.payloads(""), StoreError::InvalidId);
}

#[test]
fn a_list_tells_what_is_there() {
    let store = memory();
    let before = SystemTime::now() - Duration::from_millis(1);
    store.put_payload("s", "a", "grep", "äöü").unwrap();
    let listed = store.payloads("s").unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].call_id.as_str(), listed[0].tool.as_str(), listed[0].bytes),
        ("a", "grep", 6)
    );
    assert!(listed[0].created >= before && listed[0].created <= SystemTime::now());
}

#[test]
fn the_oldest_make_room() {
    let store = memory();
    let thirty = "x".repeat(30 * MIB);
    for id in ["a", "b", "c"] {
        store.put_payload("s", id, "grep", &thirty).unwrap();
    }
    store.put_payload("t", "a", "grep", &thirty).unwrap();
    // Exactly full: nothing has to go.
    store.put_payload("s", "d", "grep", &thirty[..10 * MIB]).unwrap();
    assert_eq!(ids(&store, "s"), ["a", "b", "c", "d"]);
    // One byte more: the oldest goes. The gap it leaves is counted.
    store.put_payload("s", "e", "grep", "x").unwrap();
    assert_eq!(ids(&store, "s"), ["b", "c", "d", "e"]);
    store.put_payload("s", "f", "grep", &thirty[..MIB]).unwrap();
    assert_eq!(ids(&store, "s"), ["b", "c", "d", "e", "f"]);
    // Replacing frees the old one first, and makes it the newest.
    store.put_payload("s", "b", "grep", &thirty).unwrap();
    assert_eq!(ids(&store, "s"), ["c", "d", "e", "f", "b"]);
    // Several go where one is not enough, and no more than needed.
    store.put_payload("s", "g", "grep", &"x".repeat(60 * MIB)).unwrap();
    assert_eq!(ids(&store, "s"), ["e", "f", "b", "g"]);
    assert_eq!(raw(&store, "s", "a"), None);
    assert_eq!(ids(&store, "t"), ["a"], "another session has room of its own");
}

#[test]
fn a_payload_that_cannot_fit_evicts_nothing() {
    let store = memory();
    store.put_payload("s", "a", "grep", "kept").unwrap();
    let limit = usize::try_from(limits::PAYLOAD_BYTES).unwrap();
    let mut huge = "x".repeat(limit + 1);
    for id in ["a", "b"] {
        let told = text(store.put_payload("s", id, "grep", &huge), StoreError::Quota);
        assert!(told.contains("104857600") && told.ends_with("104857601"), "{told}");
    }
    assert_eq!(raw(&store, "s", "a").unwrap(), "kept");
    huge.pop();
    store.put_payload("s", "b", "grep", &huge).unwrap();
    assert_eq!(ids(&store, "s"), ["b"]);
    let end = store.payload("s", "b", limits::PAYLOAD_BYTES - 3, 9).unwrap().unwrap();
    assert_eq!((end.text.as_str(), end.next_offset), ("xxx", None));
}

#[test]
fn what_contradicts_itself_is_told_and_not_returned() {
    for damage in [
        "DELETE FROM chunk WHERE position = 1",
        "UPDATE chunk SET data = CAST(x'ff' || data AS BLOB)",
        "UPDATE chunk SET data = x'ff' WHERE position = 0",
        "UPDATE payload SET bytes = -1",
    ] {
        let (directory, store) = on_disk();
        store.put_payload("s", "a", "grep", &"é".repeat(MIB)).unwrap();
        bare(directory.path()).execute_batch(damage).unwrap();
        let told = text(store.payload("s", "a", 0, u64::MAX), StoreError::Unavailable);
        assert!(told.contains("sessions.db: damaged"), "{damage}: {told}");
    }
}
