//! Why the log cannot be written or read.

use std::path::PathBuf;

/// An error of the audit log. Every text names the file and what would help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuditError {
    /// An option has a value that cannot work.
    #[error("{0}")]
    Options(String),
    /// The directory is missing and cannot be made, or is not private.
    #[error("the audit directory {} cannot be used: {reason}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file cannot be opened, read or written.
    #[error("the audit file {} cannot be used: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The key file is not what it should be.
    #[error("the audit key {} cannot be used: {reason}", path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process keeps the log locked.
    #[error("the audit log is locked: another process has held {} for {seconds} s; end it or wait", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long this process waited, in seconds.
        seconds: u64,
    },
    /// Records arrive faster than they can be written.
    #[error("{bytes} bytes of audit records wait to be written, the most that are kept; the disk does not keep up")]
    Backlog {
        /// Bytes that wait.
        bytes: usize,
    },
    /// The writer is not there.
    #[error("the audit log has no writer: {0}")]
    Writer(String),
}
