//! Durations and what is told of them.

use std::time::{Duration, Instant};

/// A set of measured durations, ascending.
#[derive(Debug)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) fn new(mut durations: Vec<Duration>) -> Self {
        durations.sort_unstable();
        Self(durations)
    }

    /// Runs something so many times and measures each run.
    pub(crate) fn of(rounds: usize, mut run: impl FnMut()) -> Self {
        let durations = (0..rounds).map(|_| {
            let started = Instant::now();
            run();
            started.elapsed()
        });
        Self::new(durations.collect())
    }

    /// The shortest.
    pub(crate) fn best(&self) -> Duration {
        self.percentile(0)
    }

    /// The one in the middle.
    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }

    /// The one that so many of a hundred do not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let index = (self.0.len() * percent / 100).min(self.0.len().saturating_sub(1));
        self.0.get(index).copied().unwrap_or_default()
    }

    /// `best (median …)`.
    pub(crate) fn best_and_median(&self) -> String {
        format!("{} (median {})", show(self.best()), show(self.median()))
    }

    /// `p50 (p99 …)`.
    pub(crate) fn p50_and_p99(&self) -> String {
        format!("p50 {}, p99 {}", show(self.median()), show(self.percentile(99)))
    }
}

/// A duration with three significant digits.
pub(crate) fn show(duration: Duration) -> String {
    let micros = duration.as_secs_f64() * 1e6;
    let (value, unit) = match micros {
        ..1e3 => (micros, "µs"),
        1e3..1e6 => (micros / 1e3, "ms"),
        _ => (micros / 1e6, "s"),
    };
    let digits = match value {
        ..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// How many times as long.
pub(crate) fn ratio(ours: Duration, peer: Duration) -> f64 {
    ours.as_secs_f64() / peer.as_secs_f64().max(1e-9)
}
