//! The full results of this session's calls that were answered by a digest.

use crate::bindings::toolgate::plugin::payloads as host;

pub use host::{Page, ReadError};

/// At most `limit` bytes of a payload from `offset` bytes, cut between characters.
///
/// # Errors
///
/// The id cannot be one, nothing is stored under it, or the offset lies beyond the end.
pub fn read(call_id: &str, offset: u64, limit: u64) -> Result<Page, ReadError> {
    host::read(call_id, offset, limit)
}
