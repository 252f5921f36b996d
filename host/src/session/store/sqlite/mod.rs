//! The embedded store: one SQLite file, shared by every process of a state directory.
//! Called through [`super::SessionStore`] only.
//! Must not touch: anything but its file; what it keeps is never read as SQL.

mod ending;
mod failure;
mod open;
mod page;
mod payload;
mod schema;
mod sessions;
mod state;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use failure::Failure;
pub(super) use open::FILE;

use super::{Page, PayloadInfo, SessionStore, StoreError, Versioned, limits};

/// Sessions in `sessions.db` of a state directory, or in memory. Any number of
/// processes may have one open on the same directory; each change is one
/// transaction, and a killed process leaves all of it or nothing.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Mutex<Connection>,
    /// What errors call the store: its path, or that it is in memory.
    name: String,
}

impl SqliteStore {
    /// Opens or creates `sessions.db` (mode 0600) in this directory, which is
    /// created with mode 0700 if there is none.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if the directory is a link, belongs to
    /// somebody else or is writable by others, if the file is damaged, of another
    /// program or of a newer version, and if the file system fails. A file is
    /// never replaced or repaired.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        let (connection, name) = open::open(directory)?;
        Ok(Self {
            connection: Mutex::new(connection),
            name,
        })
    }

    /// A store that ends with the process and is shared with no other.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] without memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        let name = "the session store in memory".to_owned();
        let connection = open::in_memory().map_err(|failure| failure.at(&name))?;
        Ok(Self {
            connection: Mutex::new(connection),
            name,
        })
    }

    /// The connection. A panic while it was held has rolled back what was open.
    pub(super) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on one snapshot and notes the use of the session.
    fn read<T>(
        &self,
        session: &str,
        work: impl FnOnce(&Transaction<'_>, i64) -> Result<T, Failure>,
    ) -> Result<Option<T>, StoreError> {
        let mut connection = self.lock();
        let found = sessions::with_known(&mut connection, session, work);
        found.map_err(|failure| failure.at(&self.name))
    }

    /// Runs `work` as one change. The write lock is taken first: a transaction
    /// that reads before it writes would fail, not wait, where another process
    /// wrote in between.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure>) -> Result<T, StoreError> {
        let mut connection = self.lock();
        let change = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        change().map_err(|failure: Failure| failure.at(&self.name))
    }
}

impl SessionStore for SqliteStore {
    fn get(&self, session: &str, space: &str, key: &str) -> Result<Option<Versioned>, StoreError> {
        limits::state_address(session, space, key)?;
        let found = self.read(session, |transaction, id| state::get(transaction, id, space, key))?;
        Ok(found.flatten())
    }

    fn put(&self, session: &str, space: &str, key: &str, value: &[u8], expected: u64) -> Result<u64, StoreError> {
        limits::state_address(session, space, key)?;
        limits::value(value)?;
        self.write(|transaction| {
            let session = sessions::used(transaction, session)?;
            state::put(transaction, &session, (space, key), value, expected)
        })
    }

    fn put_payload(&self, session: &str, call_id: &str, tool: &str, raw: &str) -> Result<(), StoreError> {
        limits::payload_address(session, call_id)?;
        limits::name("tool", tool)?;
        limits::payload(raw)?;
        self.write(|transaction| {
            let session = sessions::used(transaction, session)?;
            payload::put(transaction, &session, call_id, tool, raw)
        })
    }

    fn payload(&self, session: &str, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        limits::payload_address(session, call_id)?;
        let found = self.read(session, |transaction, id| {
            page::read(transaction, id, call_id, offset, limit)
        })?;
        Ok(found.flatten())
    }

    fn payloads(&self, session: &str) -> Result<Vec<PayloadInfo>, StoreError> {
        limits::name("session", session)?;
        Ok(self.read(session, payload::list)?.unwrap_or_default())
    }

    fn end_session(&self, session: &str) -> Result<(), StoreError> {
        limits::name("session", session)?;
        self.write(|transaction| ending::end(transaction, session))
    }

    fn sweep(&self, older_than: Duration) -> Result<u64, StoreError> {
        let cutoff = sessions::before(older_than);
        let mut ended = 0;
        // One transaction each, so that other processes get their turn.
        while self.write(|transaction| ending::end_one(transaction, cutoff))? {
            ended += 1;
        }
        while ending::give_back(&self.lock()).map_err(|failure| failure.at(&self.name))? {}
        Ok(ended)
    }
}
