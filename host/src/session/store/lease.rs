//! One session's use of a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Page, PayloadInfo, SessionStore, StoreError, Versioned};

/// What one session has in a store, for as long as somebody holds this: the
/// session, and each of its calls until the guest is gone. A call that was
/// given up may still be storing something when its session is over.
pub(crate) struct Lease {
    store: Arc<dyn SessionStore>,
    session: Arc<str>,
    /// Whether everything is deleted in the end, because nobody can name the session.
    transient: bool,
    /// Whether anything may have been kept.
    used: AtomicBool,
}

impl Lease {
    /// A lease of the session of this name; a `transient` one deletes what is
    /// kept when its last holder lets go.
    pub(crate) fn new(store: Arc<dyn SessionStore>, session: Arc<str>, transient: bool) -> Self {
        Self {
            store,
            session,
            transient,
            used: AtomicBool::new(false),
        }
    }

    /// As [`SessionStore::get`].
    pub(crate) fn get(&self, space: &str, key: &str) -> Result<Option<Versioned>, StoreError> {
        self.store.get(&self.session, space, key)
    }

    /// As [`SessionStore::put`].
    pub(crate) fn put(&self, space: &str, key: &str, value: &[u8], expected: u64) -> Result<u64, StoreError> {
        self.used.store(true, Ordering::Relaxed);
        self.store.put(&self.session, space, key, value, expected)
    }

    /// As [`SessionStore::put_payload`].
    pub(crate) fn put_payload(&self, call_id: &str, tool: &str, raw: &str) -> Result<(), StoreError> {
        self.used.store(true, Ordering::Relaxed);
        self.store.put_payload(&self.session, call_id, tool, raw)
    }

    /// As [`SessionStore::payload`].
    pub(crate) fn payload(&self, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        self.store.payload(&self.session, call_id, offset, limit)
    }

    /// As [`SessionStore::payloads`].
    pub(crate) fn payloads(&self) -> Result<Vec<PayloadInfo>, StoreError> {
        self.store.payloads(&self.session)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.transient
            && self.used.load(Ordering::Relaxed)
            && let Err(error) = self.store.end_session(&self.session)
        {
            tracing::warn!(%error, "what a session kept is not deleted");
        }
    }
}
