//! A lock on the plans directory that processes share.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// How long to wait for another process. Anybody who can read the directory can hold the lock for
/// ever, so it cannot be a condition: it only keeps numbers in order, and that no file is
/// overwritten does not depend on it.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often to look.
const STEP: Duration = Duration::from_millis(5);

/// Takes the lock, which is held until the descriptor is closed, or goes on without it.
pub(super) fn lock(directory: &OwnedFd) {
    let started = Instant::now();
    loop {
        match flock(directory, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) if started.elapsed() < PATIENCE => std::thread::sleep(STEP),
            Err(Errno::INTR) => {}
            Ok(()) => return,
            Err(error) => {
                tracing::debug!(%error, "the plans directory is not locked");
                return;
            }
        }
    }
}
