//! The descriptors of this process, shared out: all calls together cannot take those that the host itself needs.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Most handles of one call.
const MAX_HANDLES: u64 = 512;
/// Least handles of one call: enough for a tool that walks a deep tree.
const MIN_HANDLES: u64 = 64;
/// Descriptors that the host keeps for itself: clients, listeners, roots, logs.
const RESERVED: u64 = 256;
/// Descriptors that one handle may hold: a replacement holds its file and its directory.
const PER_HANDLE: u64 = 2;

/// What there is for calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// Calls at the same time.
    pub(super) calls: u32,
    /// Handles of each.
    pub(super) handles: usize,
}

impl Share {
    /// Shares out what this process may open, after raising its soft limit to
    /// its hard one: many systems start programs with a soft limit of 1024.
    pub(super) fn take(concurrency: u32) -> Self {
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit {
            current: limit.maximum,
            ..limit
        };
        let open = match setrlimit(Resource::Nofile, raised) {
            Ok(()) => limit.maximum,
            Err(_) => limit.current,
        };
        let share = Self::of(open.unwrap_or(u64::MAX), concurrency);
        if share.calls < concurrency {
            tracing::warn!(
                "this process may open {} files, enough for {} calls at the same time instead of {concurrency}; \
                 raise the limit (ulimit -n)",
                open.unwrap_or(u64::MAX),
                share.calls
            );
        }
        share
    }

    fn of(open: u64, concurrency: u32) -> Self {
        let handles = open.saturating_sub(RESERVED) / PER_HANDLE;
        let calls = u64::from(concurrency).min(handles / MIN_HANDLES).max(1);
        Self {
            calls: u32::try_from(calls).unwrap_or(concurrency),
            handles: usize::try_from((handles / calls).clamp(1, MAX_HANDLES)).unwrap_or(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_calls_together_leave_the_reserve() {
        for open in [300, 1024, 4096, 20_000, 1 << 20, u64::MAX] {
            for concurrency in [1, 8, 64, 1000] {
                let share = Share::of(open, concurrency);
                let all = u64::from(share.calls) * share.handles as u64 * PER_HANDLE;
                assert!(all <= open - RESERVED, "{open}, {concurrency}: {share:?}");
                assert!(share.calls <= concurrency);
            }
        }
        assert_eq!(
            Share::of(20_000, 64),
            Share {
                calls: 64,
                handles: 154
            }
        );
        assert_eq!(Share::of(1024, 64), Share { calls: 6, handles: 64 });
    }
}
