//! What one call has used so far, readable at any time: also when it is stopped before its end.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counters of one call, shared by its instances. They are statistics: no two of them need agree.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    /// Bytes of linear memory and tables now.
    memory: AtomicU64,
    /// The most there were.
    peak: AtomicU64,
    nanos: AtomicU64,
}

impl Usage {
    /// The most bytes of linear memory and tables at any time, summed over instances; `None` if no
    /// guest was made.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        Some(self.peak.load(Ordering::Relaxed)).filter(|bytes| *bytes > 0)
    }

    /// How long threads were busy with the guest and with what it called; `None` if none ever was.
    pub(crate) fn busy(&self) -> Option<Duration> {
        let nanos = self.nanos.load(Ordering::Relaxed);
        (nanos > 0).then(|| Duration::from_nanos(nanos))
    }

    pub(super) fn grow(&self, bytes: usize) {
        let bytes = bytes as u64;
        let now = self.memory.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    pub(super) fn shrink(&self, bytes: usize) {
        self.memory.fetch_sub(bytes as u64, Ordering::Relaxed);
    }

    /// Does work and counts how long threads were busy with it. A guest gives way at each tick, so
    /// that this is at most a tick behind when the work is dropped.
    pub(super) async fn timed<F: Future>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        poll_fn(|context| {
            let started = Instant::now();
            let polled = work.as_mut().poll(context);
            let nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.nanos.fetch_add(nanos, Ordering::Relaxed);
            polled
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_that_of_the_sum() {
        let usage = Usage::default();
        assert_eq!((usage.peak_memory(), usage.busy()), (None, None));
        usage.grow(10);
        usage.grow(5);
        usage.shrink(10);
        usage.grow(7);
        assert_eq!(usage.peak_memory(), Some(15));
        usage.grow(4);
        assert_eq!(usage.peak_memory(), Some(16));
    }
}
