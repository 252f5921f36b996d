//! One writer at a time, among all processes.

use std::fs::File;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::AuditError;
use super::directory::{Directory, LOCK};

/// How long a writer waits for the others: many times what one batch takes on a slow disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// The lock file; locked while a [`Guard`] of it lives. The kernel unlocks it when a process dies.
pub(super) struct Lock {
    file: File,
}

/// Held by whoever may write.
pub(super) struct Guard<'a> {
    file: &'a File,
}

impl Lock {
    /// Opens or makes the lock file.
    ///
    /// # Errors
    /// As [`Directory::file`].
    pub(super) fn open(directory: &Directory) -> Result<Self, AuditError> {
        let file = directory
            .file(LOCK, OFlags::RDWR | OFlags::CREATE)
            .and_then(|file| file.ok_or_else(|| std::io::Error::other("it cannot be made")))
            .map_err(|error| directory.error(LOCK, error))?;
        Ok(Self { file })
    }

    /// Opens the lock file for a reader; `None` if nobody has ever written.
    ///
    /// # Errors
    /// As [`Directory::file`].
    pub(super) fn open_if_there(directory: &Directory) -> Result<Option<Self>, AuditError> {
        let file = directory
            .file(LOCK, OFlags::RDONLY)
            .map_err(|error| directory.error(LOCK, error))?;
        Ok(file.map(|file| Self { file }))
    }

    /// Waits for the other writers.
    ///
    /// # Errors
    /// [`AuditError::Locked`] after some seconds: a process that was stopped keeps its lock.
    pub(super) fn exclusive(&self, directory: &Directory) -> Result<Guard<'_>, AuditError> {
        self.acquire(directory, FlockOperation::NonBlockingLockExclusive)
    }

    /// Keeps writers away, not readers.
    ///
    /// # Errors
    /// As [`Self::exclusive`].
    pub(super) fn shared(&self, directory: &Directory) -> Result<Guard<'_>, AuditError> {
        self.acquire(directory, FlockOperation::NonBlockingLockShared)
    }

    fn acquire(&self, directory: &Directory, operation: FlockOperation) -> Result<Guard<'_>, AuditError> {
        let started = Instant::now();
        let mut pause = Duration::from_micros(20);
        loop {
            match flock(&self.file, operation) {
                Ok(()) => return Ok(Guard { file: &self.file }),
                Err(Errno::WOULDBLOCK) if started.elapsed() < PATIENCE => std::thread::sleep(pause),
                Err(Errno::WOULDBLOCK) => {
                    return Err(AuditError::Locked {
                        path: directory.at(LOCK),
                        seconds: PATIENCE.as_secs(),
                    });
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(directory.error(LOCK, error)),
            }
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        // It cannot fail for a lock that is held, and ends with the file in any case.
        let _ = flock(self.file, FlockOperation::Unlock);
    }
}
