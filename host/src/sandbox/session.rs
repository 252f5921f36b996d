//! The capabilities `toolgate:plugin/state` and `toolgate:plugin/payloads`: what a session keeps between calls.
//! Called by guests through the linker.
//! Must not touch: other sessions, other plugins' state; both names are the host's, not the guest's.

use std::sync::Arc;

use super::bindings::toolgate::plugin::payloads::{self, ReadError};
use super::bindings::toolgate::plugin::state::{self, StateError, Stored};
use super::state::CallState;
use crate::session::store::{Lease, StoreError};

/// The part of the store that a call may see.
#[derive(Clone)]
pub(crate) struct SessionView {
    /// The session's own part.
    pub(crate) lease: Arc<Lease>,
    /// The plugin, by its origin: its state is no other's.
    pub(crate) space: Arc<str>,
}

/// Most bytes of a payload that one call of the boundary gives, as for files.
const MAX_PAGE: u64 = 4 << 20;

const NO_STORE: &str = "this host keeps nothing between calls (session.store is off)";

impl state::Host for CallState {
    fn get(&mut self, key: String) -> wasmtime::Result<Result<Option<Stored>, StateError>> {
        Ok(self.view().and_then(|view| {
            let found = view.lease.get(&view.space, &key).map_err(state_error)?;
            Ok(found.map(|found| Stored {
                value: found.value,
                version: found.version,
            }))
        }))
    }

    fn put(&mut self, key: String, value: Vec<u8>, expected: u64) -> wasmtime::Result<Result<u64, StateError>> {
        Ok(self.view().and_then(|view| {
            let put = view.lease.put(&view.space, &key, &value, expected);
            put.map_err(state_error)
        }))
    }
}

impl payloads::Host for CallState {
    fn read(
        &mut self,
        call_id: String,
        offset: u64,
        limit: u64,
    ) -> wasmtime::Result<Result<payloads::Page, ReadError>> {
        let Some(view) = &self.around.session else {
            return Ok(Err(ReadError::Unavailable(NO_STORE.to_owned())));
        };
        Ok(match view.lease.payload(&call_id, offset, limit.min(MAX_PAGE)) {
            Ok(Some(page)) => Ok(payloads::Page {
                text: page.text,
                total_bytes: page.total_bytes,
                next_offset: page.next_offset,
            }),
            Ok(None) => Err(ReadError::NotFound),
            Err(StoreError::InvalidId(_)) => Err(ReadError::InvalidId),
            Err(StoreError::Range(_)) => Err(ReadError::OutOfRange(view.size(&call_id))),
            Err(error) => Err(ReadError::Unavailable(error.to_string())),
        })
    }
}

impl SessionView {
    /// Bytes of a payload, 0 if there is none.
    fn size(&self, call_id: &str) -> u64 {
        let start = self.lease.payload(call_id, 0, 1).ok().flatten();
        start.map_or(0, |page| page.total_bytes)
    }
}

impl CallState {
    fn view(&self) -> Result<&SessionView, StateError> {
        self.around
            .session
            .as_ref()
            .ok_or_else(|| StateError::Unavailable(NO_STORE.to_owned()))
    }
}

fn state_error(error: StoreError) -> StateError {
    match error {
        StoreError::Conflict => StateError::Conflict,
        StoreError::Quota(limit) => StateError::Quota(limit),
        other => StateError::Unavailable(other.to_string()),
    }
}
