//! A store that costs nothing until something is put into it.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::{Page, PayloadInfo, SessionStore, SqliteStore, StoreError, Versioned, limits, sqlite};

/// A [`SqliteStore`] that is opened at first use. Reading and deleting do not
/// create one: where there is no file, there is nothing to find. An error of
/// opening is reported by the call that needed the store and tried again by the next.
/// Opening also forgets the sessions that nobody has used for a long time.
#[derive(Debug)]
pub struct LazyStore {
    directory: PathBuf,
    /// How long an unused session is kept.
    ttl: Duration,
    store: OnceLock<SqliteStore>,
    // Held while opening, so that one of several first callers opens.
    opening: Mutex<()>,
}

impl LazyStore {
    /// A store in this directory. Touches nothing yet.
    pub fn new(directory: impl Into<PathBuf>, ttl: Duration) -> Self {
        Self {
            directory: directory.into(),
            ttl,
            store: OnceLock::new(),
            opening: Mutex::new(()),
        }
    }

    fn opened(&self) -> Result<&SqliteStore, StoreError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let store = SqliteStore::open(&self.directory)?;
        if let Err(error) = store.sweep(self.ttl) {
            tracing::warn!(%error, "old sessions are not deleted");
        }
        Ok(self.store.get_or_init(|| store))
    }

    /// The store unless there is none. What cannot be examined counts as
    /// there: opening it says why it cannot be used.
    fn existing(&self) -> Result<Option<&SqliteStore>, StoreError> {
        if self.store.get().is_none() {
            let found = self.directory.join(sqlite::FILE).symlink_metadata();
            if found.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
                return Ok(None);
            }
        }
        self.opened().map(Some)
    }
}

impl SessionStore for LazyStore {
    fn get(&self, session: &str, space: &str, key: &str) -> Result<Option<Versioned>, StoreError> {
        limits::state_address(session, space, key)?;
        self.existing()?
            .map_or(Ok(None), |store| store.get(session, space, key))
    }

    fn put(&self, session: &str, space: &str, key: &str, value: &[u8], expected: u64) -> Result<u64, StoreError> {
        self.opened()?.put(session, space, key, value, expected)
    }

    fn put_payload(&self, session: &str, call_id: &str, tool: &str, raw: &str) -> Result<(), StoreError> {
        self.opened()?.put_payload(session, call_id, tool, raw)
    }

    fn payload(&self, session: &str, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        limits::payload_address(session, call_id)?;
        self.existing()?
            .map_or(Ok(None), |store| store.payload(session, call_id, offset, limit))
    }

    fn payloads(&self, session: &str) -> Result<Vec<PayloadInfo>, StoreError> {
        limits::name("session", session)?;
        self.existing()?.map_or(Ok(Vec::new()), |store| store.payloads(session))
    }

    fn end_session(&self, session: &str) -> Result<(), StoreError> {
        limits::name("session", session)?;
        self.existing()?.map_or(Ok(()), |store| store.end_session(session))
    }

    fn sweep(&self, older_than: Duration) -> Result<u64, StoreError> {
        self.existing()?.map_or(Ok(0), |store| store.sweep(older_than))
    }
}
