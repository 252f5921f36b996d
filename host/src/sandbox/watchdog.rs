//! The epoch ticker, and the watch over it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use wasmtime::Engine;

/// How often running guests are interrupted.
const TICK: Duration = Duration::from_millis(10);
/// How often the watch looks whether the ticker still ticks.
const LOOK: Duration = Duration::from_millis(100);
/// Looks without a tick until the ticker counts as stopped. On a busy machine
/// a thread may not get its turn for a while.
const MISSED: u32 = 7;

/// Two threads: one ticks, the other takes over if the first one stops, and
/// says so. Guests can only be interrupted while somebody ticks.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    ticks: AtomicU64,
    stalled: AtomicBool,
    stop: AtomicBool,
    /// Fault injection for tests: the ticker returns.
    fail_ticker: AtomicBool,
}

impl Watchdog {
    pub(super) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let weak = engine.weak();
        let state = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("toolgate-epoch".to_owned())
            .spawn(move || {
                while !state.stop.load(Ordering::Relaxed) && !state.fail_ticker.load(Ordering::Relaxed) {
                    std::thread::sleep(TICK);
                    let Some(engine) = weak.upgrade() else { return };
                    engine.increment_epoch();
                    state.ticks.fetch_add(1, Ordering::Relaxed);
                }
            })?;
        let weak = engine.weak();
        let state = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("toolgate-watch".to_owned())
            .spawn(move || {
                let mut seen = state.ticks.load(Ordering::Relaxed);
                let mut missed = 0;
                while !state.stop.load(Ordering::Relaxed) {
                    let stalled = missed >= MISSED;
                    std::thread::sleep(if stalled { TICK } else { LOOK });
                    let Some(engine) = weak.upgrade() else { return };
                    let now = state.ticks.load(Ordering::Relaxed);
                    missed = if now == seen { (missed + 1).min(MISSED) } else { 0 };
                    seen = now;
                    if missed >= MISSED {
                        engine.increment_epoch();
                    }
                    if state.stalled.swap(missed >= MISSED, Ordering::Relaxed) != (missed >= MISSED) {
                        if missed == 0 {
                            tracing::warn!("the epoch ticker ticks again; calls are accepted");
                        } else {
                            tracing::error!("the epoch ticker has stopped; no new calls are accepted");
                        }
                    }
                }
            })?;
        Ok(Self { shared })
    }

    /// Whether guests can be interrupted on time.
    pub(super) fn healthy(&self) -> bool {
        !self.shared.stalled.load(Ordering::Relaxed)
    }

    /// Stops the ticker, as a fault would.
    pub(super) fn inject_ticker_failure(&self) {
        self.shared.fail_ticker.store(true, Ordering::Relaxed);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}
