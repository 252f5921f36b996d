//! What this process uses, as the kernel counts it.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Tests that measure the whole process run alone; the others run beside each other.
static TURN: RwLock<()> = RwLock::new(());

/// A turn beside other tests.
pub type Together = RwLockReadGuard<'static, ()>;

/// Waits for a turn beside other tests.
pub fn together() -> Together {
    TURN.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a turn alone.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    TURN.write().unwrap_or_else(PoisonError::into_inner)
}

/// Files open in this process that lie below `directory`, removed ones included.
pub fn open_below(directory: &Path) -> Vec<PathBuf> {
    open()
        .into_iter()
        .filter(|path| path.starts_with(directory) && path != directory)
        .collect()
}

/// What every descriptor of this process stands for.
pub fn open() -> Vec<PathBuf> {
    std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .collect()
}

/// Resident memory now, in bytes.
pub fn resident() -> u64 {
    status("VmRSS:")
}

/// The greatest resident memory since [`reset_peak`], in bytes.
pub fn peak() -> u64 {
    status("VmHWM:")
}

/// Starts a new measurement of the peak (proc(5), `/proc/pid/clear_refs`).
pub fn reset_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kilobytes << 10
}
