//! What a tool keeps for the session that calls it. Sessions do not see each other's state, and
//! neither do plugins.

use crate::bindings::toolgate::plugin::state as host;
use crate::{Error, ErrorKind};

pub use host::{StateError, Stored};

/// What is stored under a key, with the version that [`put`] wants to see.
///
/// # Errors
///
/// The host cannot keep anything now, or the key is not valid.
pub fn get(key: &str) -> Result<Option<Stored>, StateError> {
    host::get(key)
}

/// Stores a value of at most 1 MiB if the stored version is still `expected`, 0 for a new key, and
/// gives the new version.
///
/// # Errors
///
/// [`StateError::Conflict`] if somebody else wrote in between: read again and decide again.
pub fn put(key: &str, value: &[u8], expected: u64) -> Result<u64, StateError> {
    host::put(key, value, expected)
}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        match error {
            StateError::Conflict => Self::new(
                ErrorKind::Unavailable,
                "another call changed the state at the same time; repeat the call",
            ),
            StateError::Quota(limit) => Self::limit(limit),
            StateError::Unavailable(reason) => Self::new(ErrorKind::Unavailable, reason),
        }
    }
}
