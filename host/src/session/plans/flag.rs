//! The flag of a named session, in the session store.

use std::sync::Arc;

use crate::gate::KeptFlag;
use crate::session::store::{Lease, StoreError};

/// What belongs to the host itself: the spaces of plugins are called `builtin:…` and `file:…`.
const SPACE: &str = "host:plans";
const KEY: &str = "recorded";

/// Attempts to write; each one that fails means that another process got through.
const ATTEMPTS: usize = 64;

/// The flag of the session that the lease is of.
pub(in crate::session) struct StoredFlag(pub(in crate::session) Arc<Lease>);

impl KeptFlag for StoredFlag {
    fn get(&self) -> Result<bool, String> {
        let found = self.0.get(SPACE, KEY).map_err(|error| error.to_string())?;
        Ok(found.is_some_and(|found| found.value == b"1"))
    }

    fn replace(&self, recorded: bool) -> Result<bool, String> {
        for _ in 0..ATTEMPTS {
            let found = self.0.get(SPACE, KEY).map_err(|error| error.to_string())?;
            let was = found.as_ref().is_some_and(|found| found.value == b"1");
            if was == recorded {
                return Ok(was);
            }
            let version = found.map_or(0, |found| found.version);
            let value: &[u8] = if recorded { b"1" } else { b"0" };
            match self.0.put(SPACE, KEY, value, version) {
                Ok(_) => return Ok(was),
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Err(StoreError::Conflict.to_string())
    }
}
