//! Bounded time: what any input may take, however it is built.

use std::time::Duration;

/// Far above what a sound parser takes with all its counters on, far below
/// what a quadratic one takes for the longest inputs.
const BASE: Duration = Duration::from_millis(500);
const PER_BYTE: Duration = Duration::from_micros(10);

/// Runs the work, and fails if it takes more time of the processor than its
/// input allows. Time on the clock would tell how busy the machine is.
pub(crate) fn bounded<T>(what: &str, bytes: usize, work: impl FnOnce() -> T) -> T {
    let start = spent();
    let result = work();
    let took = spent().saturating_sub(start);
    let most = BASE + PER_BYTE * u32::try_from(bytes).unwrap_or(u32::MAX);
    assert!(
        took <= most,
        "{what}: {bytes} bytes took {took:?}, allowed are {most:?}"
    );
    result
}

/// What this thread has had of the processor, to some milliseconds.
fn spent() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap())
}
