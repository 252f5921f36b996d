//! The work of one call: an instance, or several that share a walk.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::OwnedSemaphorePermit;
use tokio::task::{JoinError, JoinHandle};

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::engine::Sandbox;
use super::filesystem::CallFiles;
use super::instance;
use super::state::{CallState, Ready, Surroundings};
use super::walks::{self, Parts};
use crate::call::{CallError, ErrorKind};
use crate::catalog::{Caps, SharedWalk};

/// Most instances of one call: beyond that a search waits for the disk.
const MAX_INSTANCES: usize = 16;

/// Everything that the instances of one call need; each gets its own copy.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) sandbox: Arc<Sandbox>,
    pub(super) ready: Ready,
    pub(super) tool: Arc<str>,
    pub(super) arguments: Arc<str>,
    pub(super) grant: Arc<wit::Grant>,
    pub(super) caps: Caps,
    pub(super) files: CallFiles,
    pub(super) around: Surroundings,
    /// Bytes that all instances together may use.
    pub(super) memory: u64,
    pub(super) walk: Option<SharedTree>,
}

/// The tree of a walk that may be shared.
#[derive(Clone)]
pub(super) struct SharedTree {
    pub(super) walk: SharedWalk,
    pub(super) root: usize,
    pub(super) relative: String,
}

impl Work {
    /// Runs to the end. Dropping the future ends every instance.
    pub(super) async fn run(mut self, slot: OwnedSemaphorePermit) -> Result<String, CallError> {
        let more = self.share();
        let result = if more.is_empty() {
            self.one().await
        } else {
            self.several(more).await
        };
        drop(slot);
        result
    }

    /// Cuts the tree into parts if that is worth it and other places are free:
    /// nobody who waits for one comes later because of it.
    fn share(&mut self) -> Vec<OwnedSemaphorePermit> {
        let Some(tree) = &self.walk else {
            return Vec::new();
        };
        let wanted = self.sandbox.processors.min(MAX_INSTANCES) - 1;
        let free = std::iter::from_fn(|| self.sandbox.slots.clone().try_acquire_owned().ok());
        let mut more: Vec<_> = free.take(wanted).collect();
        if more.is_empty() {
            return more;
        }
        let parts = walks::split(&self.files, tree.root, &tree.relative, &tree.walk.skip, more.len() + 1);
        more.truncate(parts.len() - 1);
        self.around.walk = Arc::new(Parts::new(parts, self.around.walk.budget()));
        self.memory /= more.len() as u64 + 1;
        more
    }

    async fn one(self) -> Result<String, CallError> {
        let state = CallState::new(self.files, self.memory, self.sandbox.handles, self.around);
        let store = instance::new_store(&self.sandbox, state, instance::fuel(self.caps));
        instance::call(store, self.ready, &self.tool, &self.arguments, &self.grant).await
    }

    async fn several(self, more: Vec<OwnedSemaphorePermit>) -> Result<String, CallError> {
        let serial = Self {
            around: Surroundings {
                walk: Arc::new(Parts::whole(self.around.walk.budget())),
                ..self.around.clone()
            },
            ..self.clone()
        };
        let parts = Arc::clone(&self.around.walk);
        let others: Vec<_> = more
            .into_iter()
            .map(|slot| {
                let work = self.clone();
                AbortOnDrop(self.sandbox.runtime().spawn(async move {
                    let result = work.one().await;
                    drop(slot);
                    result
                }))
            })
            .collect();
        let (tool, caps) = (Arc::clone(&self.tool), self.caps);
        let mut results = vec![self.one().await?];
        for other in others {
            results.push(other.await.map_err(|error| broken_down(&tool, &error))??);
        }
        let parsed = results.iter().map(|text| crate::output::finish(&tool, caps, text));
        let parsed = parsed.collect::<Result<Vec<_>, _>>()?;
        match &serial.walk {
            // Which entries a walk beyond its budget has seen is chance; one instance alone gives the same ones each time.
            Some(tree) if !parts.is_exceeded() && !parsed.iter().any(|part| walks::is_opaque(&tree.walk, part)) => {
                let merged = walks::merge(&tree.walk, caps, parsed);
                Ok(serde_json::Value::Object(merged).to_string())
            }
            _ => serial.one().await,
        }
    }
}

fn broken_down(tool: &str, error: &JoinError) -> CallError {
    tracing::error!(tool, %error, "a call broke down in the host");
    CallError::new(
        ErrorKind::Failed,
        format!("{tool}: internal error of the host; the details are in the log"),
    )
}

/// Ends the guest when nobody waits for it any more.
pub(super) struct AbortOnDrop<T>(pub(super) JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<T> Future for AbortOnDrop<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}
