use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::{bare, get, on_disk, text};
use crate::session::store::{SessionStore, SqliteStore, StoreError};

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o7777
}

#[test]
fn only_this_user_can_read_it() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("a/state");
    let store = SqliteStore::open(&directory).unwrap();
    store.put("s", "p", "k", b"v", 0).unwrap();
    assert_eq!(mode(&directory), 0o700);
    let names = ["sessions.db", "sessions.db-wal", "sessions.db-shm"];
    for name in names {
        assert_eq!(mode(&directory.join(name)), 0o600, "{name}");
    }
    // A store that somebody opened up is closed again by the next one to use it.
    for name in names {
        std::fs::set_permissions(directory.join(name), Permissions::from_mode(0o644)).unwrap();
    }
    let again = SqliteStore::open(&directory).unwrap();
    for name in names {
        assert_eq!(mode(&directory.join(name)), 0o600, "{name}");
    }
    assert_eq!(get(&again, "s", "p", "k"), Some((b"v".to_vec(), 1)));
}

#[test]
fn it_lasts_and_works_as_documented() {
    let (directory, store) = on_disk();
    store.put("s", "p", "k", b"v", 0).unwrap();
    for (pragma, value) in [
        ("synchronous", 1),
        ("foreign_keys", 1),
        ("trusted_schema", 0),
        ("busy_timeout", 5000),
    ] {
        let found: i64 = store.lock().pragma_query_value(None, pragma, |row| row.get(0)).unwrap();
        assert_eq!(found, value, "{pragma}");
    }
    let journal: String = store
        .lock()
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .unwrap();
    assert_eq!(journal, "wal");
    drop(store);
    let store = SqliteStore::open(directory.path()).unwrap();
    assert_eq!(get(&store, "s", "p", "k"), Some((b"v".to_vec(), 1)));
}

#[test]
fn a_directory_above_may_be_a_link_but_nothing_below() {
    let parent = tempfile::tempdir().unwrap();
    let real = parent.path().join("real");
    std::fs::create_dir(&real).unwrap();
    let link = parent.path().join("link");
    symlink(&real, &link).unwrap();
    SqliteStore::open(&link.join("state")).unwrap();
    assert!(real.join("state/sessions.db").exists());

    text(SqliteStore::open(&link), StoreError::Unavailable);
    let target = real.join("target");
    for name in ["sessions.db", "sessions.db-wal", "sessions.db-shm"] {
        let directory = parent.path().join(format!("with-{name}"));
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(&target, "").unwrap();
        std::fs::set_permissions(&target, Permissions::from_mode(0o644)).unwrap();
        symlink(&target, directory.join(name)).unwrap();
        let told = text(SqliteStore::open(&directory), StoreError::Unavailable);
        assert!(told.contains(name) && told.contains("not a regular file"), "{told}");
        assert_eq!((std::fs::read(&target).unwrap(), mode(&target)), (Vec::new(), 0o644));
    }
}

#[test]
fn a_directory_of_others_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("state");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, Permissions::from_mode(0o777)).unwrap();
    let told = text(SqliteStore::open(&directory), StoreError::Unavailable);
    assert!(told.contains("state") && told.contains("777"), "{told}");
}

#[test]
fn what_is_no_store_is_told_and_left_alone() {
    /// What to make of a fresh store's file, and what its error says.
    type Case = (fn(&Path), &'static str);
    let cases: &[Case] = &[
        (
            |file| std::fs::write(file, "not a database, but long enough to be looked at").unwrap(),
            "damaged",
        ),
        (|file| std::fs::write(file, vec![0xA5; 65_536]).unwrap(), "damaged"),
        (
            |file| {
                // The header is whole, the table of tables is not.
                let mut bytes = std::fs::read(file).unwrap();
                bytes[100..4000].fill(0xA5);
                std::fs::write(file, bytes).unwrap();
            },
            "damaged",
        ),
        (
            |file| {
                bare(file.parent().unwrap())
                    .execute_batch("PRAGMA user_version = 2")
                    .unwrap()
            },
            "schema 2, this version knows 1",
        ),
        (
            |file| {
                bare(file.parent().unwrap())
                    .execute_batch("PRAGMA application_id = 7")
                    .unwrap()
            },
            "some other database",
        ),
        (
            |file| {
                std::fs::remove_file(file).unwrap();
                bare(file.parent().unwrap())
                    .execute_batch("CREATE TABLE theirs (a)")
                    .unwrap();
            },
            "some other database",
        ),
    ];
    for (change, says) in cases {
        let (directory, store) = on_disk();
        drop(store);
        let file = directory.path().join("sessions.db");
        change(&file);
        let before = std::fs::read(&file).unwrap();
        let told = text(SqliteStore::open(directory.path()), StoreError::Unavailable);
        assert!(told.contains(says) && told.contains(file.to_str().unwrap()), "{told}");
        assert_eq!(std::fs::read(&file).unwrap(), before, "{says}");
    }
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("sessions.db")).unwrap();
    let told = text(SqliteStore::open(directory.path()), StoreError::Unavailable);
    assert!(told.contains("not a regular file"), "{told}");
}

#[test]
fn damage_behind_an_open_store_is_told() {
    let (directory, store) = on_disk();
    store.put_payload("s", "a", "grep", &"x".repeat(1 << 20)).unwrap();
    drop(store);
    let file = directory.path().join("sessions.db");
    let whole = std::fs::metadata(&file).unwrap().len();
    std::fs::OpenOptions::new()
        .write(true)
        .open(&file)
        .unwrap()
        .set_len(whole / 2)
        .unwrap();
    let told = SqliteStore::open(directory.path())
        .and_then(|store| store.payload("s", "a", 0, u64::MAX))
        .map(|page| page.map(|page| page.total_bytes));
    let told = text(told, StoreError::Unavailable);
    assert!(told.contains("damaged"), "{told}");
}
