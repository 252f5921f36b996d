//! One deadline for everything that a request takes.

use std::time::{Duration, Instant};

use super::failure::Failure;

/// When a request with all its hops must be over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    length: Duration,
}

impl Deadline {
    pub(super) fn after(length: Duration) -> Self {
        Self {
            at: Instant::now() + length,
            length,
        }
    }

    pub(super) fn instant(&self) -> tokio::time::Instant {
        tokio::time::Instant::from_std(self.at)
    }

    /// Waits, and says what for when time is over.
    pub(super) async fn hold<F: Future>(&self, what: &str, future: F) -> Result<F::Output, Failure> {
        tokio::time::timeout_at(self.instant(), future)
            .await
            .map_err(|_| Failure::late(what, self.length))
    }
}
