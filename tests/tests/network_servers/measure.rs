//! What this process uses, as the kernel counts it.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Tests that measure the whole process run alone; the others run beside each other.
static TURN: RwLock<()> = RwLock::new(());

/// A turn beside other tests.
pub(crate) type Together = RwLockReadGuard<'static, ()>;

/// Waits for a turn beside other tests.
pub(crate) fn together() -> Together {
    TURN.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a turn alone.
pub(crate) fn alone() -> RwLockWriteGuard<'static, ()> {
    TURN.write().unwrap_or_else(PoisonError::into_inner)
}

/// Resident memory now, in bytes.
pub(crate) fn resident() -> u64 {
    status("VmRSS:")
}

/// The greatest resident memory since [`reset_peak`], in bytes.
pub(crate) fn peak() -> u64 {
    status("VmHWM:")
}

/// Starts a new measurement of the peak (proc(5), `/proc/pid/clear_refs`).
pub(crate) fn reset_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kilobytes << 10
}
