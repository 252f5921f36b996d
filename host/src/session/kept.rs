//! What one session keeps between its calls, and the order of those that change things.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use super::store::{Lease, Page, PayloadInfo, SessionStore, StoreError};
use crate::call::{CallError, CallResult, ErrorKind};
use crate::output::digest::Digest;
use crate::sandbox::SessionView;

/// A session's part of the store, if there is one.
pub(super) struct Kept {
    id: Arc<str>,
    lease: Option<Arc<Lease>>,
    /// Whether it ends with the session.
    transient: bool,
    /// Held while a tool runs that changes things: those of one session run
    /// one after the other.
    changing: Arc<tokio::sync::Mutex<()>>,
}

impl Kept {
    /// What a session without a name keeps ends with it.
    pub(super) fn new(store: Option<Arc<dyn SessionStore>>, name: Option<String>) -> Self {
        let transient = name.is_none();
        let id: Arc<str> = name.unwrap_or_else(|| format!("unnamed-{}", drawn(16))).into();
        let lease = store.map(|store| Arc::new(Lease::new(store, Arc::clone(&id), transient)));
        Self {
            id,
            lease,
            transient,
            changing: Arc::default(),
        }
    }

    /// The session's part of the store, if what it keeps is found again under its name.
    pub(super) fn lasting(&self) -> Option<Arc<Lease>> {
        self.lease.as_ref().filter(|_| !self.transient).map(Arc::clone)
    }

    /// Waits until no other tool of the session runs that changes things.
    pub(super) async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.changing).lock_owned().await
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// What a call of a plugin may see of it.
    pub(super) fn view(&self, space: &Arc<str>) -> Option<SessionView> {
        Some(SessionView {
            lease: Arc::clone(self.lease.as_ref()?),
            space: Arc::clone(space),
        })
    }

    pub(super) fn state(&self, space: &str, key: &str) -> Result<Option<Vec<u8>>, CallError> {
        let Some(lease) = &self.lease else {
            return Ok(None);
        };
        match lease.get(space, key) {
            Ok(found) => Ok(found.map(|found| found.value)),
            Err(error) => Err(CallError::new(ErrorKind::Unavailable, error.to_string())),
        }
    }

    pub(super) fn payload(&self, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        match &self.lease {
            Some(lease) => lease.payload(call_id, offset, limit),
            None => Ok(None),
        }
    }

    pub(super) fn payloads(&self) -> Result<Vec<PayloadInfo>, StoreError> {
        match &self.lease {
            Some(lease) => lease.payloads(),
            None => Ok(Vec::new()),
        }
    }

    /// Keeps a whole result and gives its digest. If it cannot be kept, the
    /// digest says so, and names no id under which it would be found.
    pub(super) fn shorten(
        &self,
        tool: &str,
        call_id: Option<String>,
        whole: &CallResult,
        digest: &Digest,
    ) -> CallResult {
        let Some(lease) = &self.lease else {
            return whole.clone();
        };
        let id = call_id.unwrap_or_else(|| format!("call-{}", drawn(6)));
        let (value, payload) = match lease.put_payload(&id, tool, &whole.text) {
            Ok(()) => (digest.envelope(Some(&id), None), Some(id)),
            Err(error) => {
                tracing::warn!(tool, %error, "a result cannot be kept; its digest cannot be undone");
                (digest.envelope(None, Some(&error.to_string())), None)
            }
        };
        CallResult {
            text: Value::Object(value.clone()).to_string(),
            value,
            payload,
        }
    }
}

/// So many random bytes in hexadecimal: no other process draws the same.
fn drawn(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    if crate::sandbox::cache::fill_random(&mut random).is_err() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        return format!("{}-{:x}", std::process::id(), now.map_or(0, |now| now.as_nanos()));
    }
    crate::sandbox::cache::hex(&random)
}
