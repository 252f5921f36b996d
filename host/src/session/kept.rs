//! What one session keeps between its calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::store::{Page, PayloadInfo, SessionStore, StoreError};
use crate::call::{CallError, CallResult, ErrorKind};
use crate::output::digest::Digest;
use crate::sandbox::SessionView;

/// A session's part of the store.
pub(super) struct Kept {
    store: Option<Arc<dyn SessionStore>>,
    id: Arc<str>,
    /// Whether it ends with the session, because nobody can name it.
    transient: bool,
    /// Whether anything may have been kept.
    used: Arc<AtomicBool>,
}

impl Kept {
    pub(super) fn new(store: Option<Arc<dyn SessionStore>>, name: Option<String>) -> Self {
        Self {
            store,
            transient: name.is_none(),
            id: name.unwrap_or_else(|| format!("unnamed-{}", drawn(16))).into(),
            used: Arc::default(),
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// What a call of a plugin may see of it.
    pub(super) fn view(&self, space: &Arc<str>) -> Option<SessionView> {
        Some(SessionView {
            store: Arc::clone(self.store.as_ref()?),
            id: Arc::clone(&self.id),
            space: Arc::clone(space),
            used: Arc::clone(&self.used),
        })
    }

    pub(super) fn state(&self, space: &str, key: &str) -> Result<Option<Vec<u8>>, CallError> {
        let Some(store) = &self.store else {
            return Ok(None);
        };
        match store.get(&self.id, space, key) {
            Ok(found) => Ok(found.map(|found| found.value)),
            Err(error) => Err(CallError::new(ErrorKind::Unavailable, error.to_string())),
        }
    }

    pub(super) fn payload(&self, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        match &self.store {
            Some(store) => store.payload(&self.id, call_id, offset, limit),
            None => Ok(None),
        }
    }

    pub(super) fn payloads(&self) -> Result<Vec<PayloadInfo>, StoreError> {
        match &self.store {
            Some(store) => store.payloads(&self.id),
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
        let Some(store) = &self.store else {
            return whole.clone();
        };
        let id = call_id.unwrap_or_else(|| format!("call-{}", drawn(6)));
        self.used.store(true, Ordering::Relaxed);
        let (value, payload) = match store.put_payload(&self.id, &id, tool, &whole.text) {
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

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(store) = &self.store
            && self.transient
            && self.used.load(Ordering::Relaxed)
            && let Err(error) = store.end_session(&self.id)
        {
            tracing::warn!(%error, "what a session kept is not deleted");
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
