//! The work of one call: an instance, or several that share a walk.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};
use tokio::task::{JoinError, JoinHandle};

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::engine::Sandbox;
use super::filesystem::CallFiles;
use super::instance;
use super::state::{CallState, Ready, Surroundings};
use super::walks::{self, Parts};
use crate::call::CallError;
use crate::catalog::{Caps, SharedWalk};

/// Most instances of one call: beyond that a search waits for the disk.
const MAX_INSTANCES: usize = 16;

/// Bytes that each instance of several may return beyond the limit of the
/// call. With room for one result more than fits, it is seldom uncertain where
/// the joined results are cut.
const BEYOND: u64 = 64 << 10;

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

/// The place of a call among those that run, given back with it.
pub(super) struct Place {
    #[allow(dead_code, reason = "held, not read")]
    pub(super) slot: OwnedSemaphorePermit,
    #[allow(dead_code, reason = "held, not read")]
    pub(super) outward: Option<OwnedSemaphorePermit>,
}

/// The tree of a walk that may be shared.
#[derive(Clone)]
pub(super) struct SharedTree {
    pub(super) walk: SharedWalk,
    pub(super) root: usize,
    pub(super) relative: String,
}

impl Work {
    /// Runs to the end, holding its place and its turn. Dropping the future ends every instance.
    pub(super) async fn run(self, place: Place, turn: Option<OwnedMutexGuard<()>>) -> Result<String, CallError> {
        let shared = match self.share() {
            Some((each, more)) => self.several(each, more).await,
            None => None,
        };
        let result = match shared {
            Some(text) => Ok(text),
            None => self.one().await,
        };
        drop((place, turn));
        result
    }

    /// Cuts the tree into parts if that is worth it and other places are free:
    /// nobody who waits for one comes later because of it. Gives what each
    /// instance is to do, and the places of all but one.
    fn share(&self) -> Option<(Self, Vec<OwnedSemaphorePermit>)> {
        let tree = self.walk.as_ref()?;
        let wanted = self.sandbox.processors.min(MAX_INSTANCES) - 1;
        let free = std::iter::from_fn(|| self.sandbox.slots.clone().try_acquire_owned().ok());
        let mut more: Vec<_> = free.take(wanted).collect();
        if more.is_empty() {
            return None;
        }
        let parts = walks::split(&self.files, tree.root, &tree.relative, &tree.walk.skip, more.len() + 1);
        more.truncate(parts.len() - 1);
        if more.is_empty() {
            return None;
        }
        let mut each = self.clone();
        each.around.walk = Arc::new(Parts::new(parts, self.around.walk.budget()));
        each.memory /= more.len() as u64 + 1;
        each.caps.max_bytes = each.caps.max_bytes.saturating_add(BEYOND);
        Arc::make_mut(&mut each.grant).caps.max_bytes = each.caps.max_bytes;
        Some((each, more))
    }

    async fn one(self) -> Result<String, CallError> {
        let usage = Arc::clone(&self.around.usage);
        let state = CallState::new(self.files, self.memory, self.sandbox.handles, self.around);
        let store = instance::new_store(&self.sandbox, state, instance::fuel(self.caps));
        usage
            .timed(instance::call(
                store,
                self.ready,
                &self.tool,
                &self.arguments,
                &self.grant,
            ))
            .await
    }

    /// The result of all instances together, if it is certain that a single
    /// one would have given the same.
    async fn several(&self, each: Self, more: Vec<OwnedSemaphorePermit>) -> Option<String> {
        let tree = self.walk.as_ref()?;
        let parts = Arc::clone(&each.around.walk);
        let others: Vec<_> = more
            .into_iter()
            .map(|slot| {
                let work = each.clone();
                AbortOnDrop(self.sandbox.runtime().spawn(async move {
                    let result = work.one().await;
                    drop(slot);
                    result
                }))
            })
            .collect();
        let caps = each.caps;
        // One that fails may have lacked memory, of which it had only its share, or met the error later than a single one would have.
        let mut results = vec![each.one().await.ok()?];
        for other in others {
            match other.await {
                Ok(result) => results.push(result.ok()?),
                Err(error) => {
                    tracing::error!(tool = &*self.tool, %error, "an instance of a call broke down in the host");
                    return None;
                }
            }
        }
        // Which entries a walk beyond its budget has seen is chance; one instance alone gives the same ones each time.
        if parts.is_exceeded() {
            return None;
        }
        let parsed = results
            .iter()
            .map(|text| crate::output::finish(&self.tool, caps, text).ok());
        let merged = walks::merge(&tree.walk, self.caps, parsed.collect::<Option<_>>()?)?;
        Some(serde_json::Value::Object(merged).to_string())
    }
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
