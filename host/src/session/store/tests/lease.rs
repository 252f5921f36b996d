use std::sync::Arc;
use std::time::Duration;

use crate::session::store::{LazyStore, Lease, SessionStore, SqliteStore};

fn store() -> Arc<SqliteStore> {
    Arc::new(SqliteStore::in_memory().unwrap())
}

fn lease(store: &Arc<SqliteStore>, session: &str, transient: bool) -> Arc<Lease> {
    Arc::new(Lease::new(Arc::clone(store) as _, session.into(), transient))
}

#[test]
fn a_transient_session_ends_with_its_last_holder() {
    let store = store();
    let session = lease(&store, "s", true);
    session.put("p", "k", b"v", 0).unwrap();
    session.put_payload("c", "grep", "x").unwrap();
    let call = Arc::clone(&session);
    drop(session);
    // A call that goes on still finds everything, and what it stores ends too.
    assert_eq!(call.get("p", "k").unwrap().unwrap().value, b"v");
    assert_eq!(call.payload("c", 0, 1).unwrap().unwrap().text, "x");
    call.put("p", "late", b"v", 0).unwrap();
    drop(call);
    assert_eq!(store.sweep(Duration::ZERO), Ok(0));
}

#[test]
fn a_named_session_stays() {
    let store = store();
    lease(&store, "s", false).put("p", "k", b"v", 0).unwrap();
    assert_eq!(lease(&store, "s", false).get("p", "k").unwrap().unwrap().value, b"v");
    assert_eq!(store.sweep(Duration::ZERO), Ok(1));
}

#[test]
fn a_session_that_kept_nothing_touches_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("state");
    let store = Arc::new(LazyStore::new(&directory, Duration::from_secs(1)));
    let session = Lease::new(store, "s".into(), true);
    assert_eq!(session.get("p", "k"), Ok(None));
    assert_eq!(session.payloads(), Ok(Vec::new()));
    drop(session);
    assert!(!directory.exists());
}
