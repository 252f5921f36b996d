use std::path::Path;

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use super::{get, on_disk, raw, text};
use crate::session::store::{SessionStore, SqliteStore, StoreError};

/// Fills the store until it refuses; then what was there must be readable and,
/// with room again, the store as good as before.
fn fill_up(store: &SqliteStore, make_room: impl FnOnce()) {
    store.put("s", "p", "k", b"kept", 0).unwrap();
    let big = "x".repeat(500_000);
    let mut held = 0;
    let told = loop {
        match store.put_payload("s", &held.to_string(), "grep", &big) {
            Ok(()) => held += 1,
            refused => break text(refused, StoreError::Unavailable),
        }
        assert!(held < 100, "the disk is not full");
    };
    assert!(held > 0 && told.contains("the disk is full"), "after {held}: {told}");
    assert_eq!(get(store, "s", "p", "k"), Some((b"kept".to_vec(), 1)));
    for number in 0..held {
        assert_eq!(raw(store, "s", &number.to_string()).as_ref(), Some(&big));
    }
    assert_eq!(raw(store, "s", &held.to_string()), None);
    assert_eq!(store.payloads("s").unwrap().len(), held);
    make_room();
    store.put_payload("s", "after", "grep", &big).unwrap();
    assert_eq!(raw(store, "s", "after"), Some(big));
    assert_eq!(store.put("s", "p", "k", b"changed", 1), Ok(2));
}

#[test]
fn a_full_database() {
    let (_directory, store) = on_disk();
    // The number of pages allowed belongs to the connection.
    let allow = |pages: i64| store.lock().pragma_update(None, "max_page_count", pages).unwrap();
    allow(500);
    fill_up(&store, || allow(1 << 20));
}

struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = unmount(self.0, UnmountFlags::DETACH);
    }
}

#[test]
fn a_full_disk() {
    let directory = tempfile::tempdir().unwrap();
    let options = c"size=20m,mode=700";
    if let Err(error) = mount("tmpfs", directory.path(), "tmpfs", MountFlags::empty(), options) {
        println!("skipped: a file system of 20 MiB cannot be mounted here ({error})");
        return;
    }
    let _mounted = Mounted(directory.path());
    let ballast = directory.path().join("ballast");
    // What it leaves is used up by the log; with it gone, there is room for the
    // log and for writing it back.
    std::fs::write(&ballast, vec![0; 15 << 20]).unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    fill_up(&store, || std::fs::remove_file(&ballast).unwrap());
}
