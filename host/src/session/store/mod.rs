//! What outlives a call: plugin state and raw payloads, by session.
//! Called by the session room and the host interfaces that serve state and payloads; opened at first use.
//! Must not touch: scope roots, grants, anything outside the state directory.
//!
//! ```
//! use toolgate::session::store::{SessionStore, SqliteStore};
//!
//! let store = SqliteStore::in_memory()?;
//! let version = store.put("s1", "todo", "list", b"[]", 0)?;
//! assert_eq!(store.put("s1", "todo", "list", b"[1]", version)?, version + 1);
//! # Ok::<(), toolgate::session::store::StoreError>(())
//! ```

mod error;
mod lazy;
mod lease;
pub mod limits;
mod sqlite;
#[cfg(test)]
mod tests;

use std::time::{Duration, SystemTime};

pub use error::StoreError;
pub use lazy::LazyStore;
pub(crate) use lease::Lease;
pub use sqlite::SqliteStore;

/// A store of what belongs to sessions. Calls are synchronous and usually take
/// well under a millisecond; large payloads and locks of other processes can
/// hold one up for longer, so callers that must not wait use another thread.
///
/// `session` names a session across every process that shares the store: the
/// host draws names of unnamed sessions so that no two processes draw the same.
/// Names of sessions, spaces and tools have 1 to 256 bytes.
///
/// # Errors
/// Every method fails with [`StoreError::InvalidId`] for a name outside its
/// limits and with [`StoreError::Unavailable`] if the store cannot be used;
/// further errors are named at each. A failed call has changed nothing, except
/// that a failed [`Self::sweep`] may have deleted some of the sessions.
pub trait SessionStore: Send + Sync + 'static {
    /// The value of `key`, if there is one. `space` is the component's name, so
    /// that one plugin cannot read another's state.
    ///
    /// # Errors
    /// [`StoreError::Quota`] for a key that could not have been stored.
    fn get(&self, session: &str, space: &str, key: &str) -> Result<Option<Versioned>, StoreError>;

    /// Replaces the value of `key` if its version is still `expected`, 0 for a
    /// key that must not exist, and returns the new version. Versions of one
    /// key rise by one with each change, from 1, until its session ends.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the version is another one;
    /// [`StoreError::Quota`] beyond a limit of [`limits`].
    fn put(&self, session: &str, space: &str, key: &str, value: &[u8], expected: u64) -> Result<u64, StoreError>;

    /// Keeps the raw result of a call. The same `call_id` again replaces the
    /// earlier payload and counts as the newest. Where the session's payloads
    /// would exceed their limit in total, the oldest are deleted in the same step.
    ///
    /// # Errors
    /// [`StoreError::InvalidId`] unless `call_id` has 1 to 128 letters, digits,
    /// `-`, `_` and `.`, not only dots; [`StoreError::Quota`] for a payload
    /// above the limit on its own, for which nothing is deleted (FX-08).
    fn put_payload(&self, session: &str, call_id: &str, tool: &str, raw: &str) -> Result<(), StoreError>;

    /// Part of a raw payload, `None` if there is none of that id. `offset` and
    /// `limit` are bytes; an offset inside a character moves down to its start,
    /// and the text ends at the last character that fits, but holds at least
    /// one, so that following [`Page::next_offset`] always arrives (FX-28).
    ///
    /// # Errors
    /// [`StoreError::Range`] for an offset beyond the end or a limit of 0;
    /// [`StoreError::InvalidId`] for an id that could not have been stored.
    fn payload(&self, session: &str, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError>;

    /// The payloads of a session, oldest first.
    ///
    /// # Errors
    /// As for every method.
    fn payloads(&self, session: &str) -> Result<Vec<PayloadInfo>, StoreError>;

    /// Deletes everything of a session. One that is not known is not an error.
    ///
    /// # Errors
    /// As for every method.
    fn end_session(&self, session: &str) -> Result<(), StoreError>;

    /// Deletes the sessions that were last used `older_than` ago or earlier and
    /// returns how many. Named sessions live until then, and unnamed ones of
    /// processes that were killed are found this way. Writing is use; reading
    /// is noted once a minute.
    ///
    /// # Errors
    /// As for every method.
    fn sweep(&self, older_than: Duration) -> Result<u64, StoreError>;
}

/// A value and the version to give with the next change of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versioned {
    /// The bytes as they were put.
    pub value: Vec<u8>,
    /// At least 1.
    pub version: u64,
}

/// Part of a raw payload. An empty payload is one empty page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Whole characters.
    pub text: String,
    /// Where the text starts, in bytes: the offset asked for or up to three less.
    pub offset: u64,
    /// Bytes of the whole payload.
    pub total_bytes: u64,
    /// Where the next page starts, unless this one reaches the end.
    pub next_offset: Option<u64>,
}

/// What is known of a payload without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayloadInfo {
    /// The id it is read by.
    pub call_id: String,
    /// The tool whose result it is.
    pub tool: String,
    /// Its length.
    pub bytes: u64,
    /// When it was put, to the millisecond.
    pub created: SystemTime,
}
