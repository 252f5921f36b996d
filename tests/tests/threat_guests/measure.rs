//! What this process uses, as the kernel counts it.

use std::path::{Path, PathBuf};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Tests that measure the whole process run alone; the others run beside each other.
static TURN: RwLock<()> = RwLock::new(());

/// A turn beside other tests.
pub(crate) fn together() -> RwLockReadGuard<'static, ()> {
    TURN.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A turn alone.
pub(crate) fn alone() -> RwLockWriteGuard<'static, ()> {
    TURN.write().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Files open in this process that lie below `directory`, removed ones included.
pub(crate) fn open_below(directory: &Path) -> Vec<PathBuf> {
    open()
        .into_iter()
        .filter(|path| path.starts_with(directory) && path != directory)
        .collect()
}

/// What every descriptor of this process stands for.
pub(crate) fn open() -> Vec<PathBuf> {
    std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .collect()
}

/// Resident memory now, in bytes.
pub(crate) fn resident() -> u64 {
    status("VmRSS:")
}

/// The greatest resident memory since [`reset_peak`], in bytes.
pub(crate) fn peak() -> u64 {
    status("VmHWM:")
}

/// Starts a new measurement of the peak.
pub(crate) fn reset_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kilobytes << 10
}
