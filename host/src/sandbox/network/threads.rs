//! The threads that connections live on.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use tokio::runtime::{Handle, Runtime};

use super::failure::{Class, Failure};
use super::pool::Connections;

/// The threads of the network, apart from those of guests and clients; started when they are first needed.
#[derive(Default)]
pub(crate) struct Egress {
    runtime: OnceLock<Option<Runtime>>,
    waiting: Arc<AtomicUsize>,
}

impl Egress {
    /// The connections of a new session.
    pub(crate) fn connections(&self) -> Arc<Connections> {
        Arc::new(Connections::new(Arc::clone(&self.waiting)))
    }

    /// Where connections live.
    pub(super) fn runtime(&self) -> Result<&Handle, Failure> {
        let start = || {
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .max_blocking_threads(1)
                .thread_name("toolgate-net")
                .enable_all()
                .build()
                .map_err(|error| tracing::error!(%error, "the network cannot be used"))
                .ok()
        };
        let runtime = self.runtime.get_or_init(start).as_ref().map(Runtime::handle);
        runtime.ok_or_else(|| Failure::new(Class::Connect, "this host has no thread for the network; see its log"))
    }
}

impl Drop for Egress {
    fn drop(&mut self) {
        // A host may be dropped inside another runtime, where waiting is not allowed.
        if let Some(Some(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
