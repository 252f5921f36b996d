use std::sync::Barrier;

use super::{get, on_disk};
use crate::session::store::{SessionStore, SqliteStore, StoreError};

/// Raises a counter by compare-and-swap, trying again after each conflict.
fn increment(store: &SqliteStore) {
    loop {
        let (value, version) = get(store, "s", "p", "counter").unwrap_or((vec![0; 8], 0));
        let count = u64::from_le_bytes(value.try_into().unwrap()) + 1;
        match store.put("s", "p", "counter", &count.to_le_bytes(), version) {
            Ok(_) => return,
            Err(error) => assert_eq!(error, StoreError::Conflict),
        }
    }
}

#[test]
fn two_connections_lose_no_increment() {
    let (directory, first) = on_disk();
    let second = SqliteStore::open(directory.path()).unwrap();
    std::thread::scope(|scope| {
        for store in [&first, &second] {
            scope.spawn(move || (0..1000).for_each(|_| increment(store)));
        }
    });
    let expected = Some((2000_u64.to_le_bytes().to_vec(), 2000));
    assert_eq!(get(&first, "s", "p", "counter"), expected);
    assert_eq!(get(&second, "s", "p", "counter"), expected);
}

#[test]
fn threads_share_one_connection() {
    let (_directory, store) = on_disk();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..100).for_each(|_| increment(&store)));
        }
    });
    assert_eq!(get(&store, "s", "p", "counter").unwrap().1, 800);
}

#[test]
fn many_open_an_empty_directory_at_once() {
    for _ in 0..10 {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("state");
        let together = Barrier::new(8);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (directory, together) = (&directory, &together);
                scope.spawn(move || {
                    together.wait();
                    let store = SqliteStore::open(directory).unwrap();
                    store.put("s", "p", &thread.to_string(), b"", 0).unwrap();
                });
            }
        });
        let store = SqliteStore::open(&directory).unwrap();
        assert!((0..8).all(|thread| get(&store, "s", "p", &thread.to_string()).is_some()));
    }
}
