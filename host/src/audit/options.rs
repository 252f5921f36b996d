//! How the log is kept.

use std::path::PathBuf;

pub use crate::config::{AuditConfig, AuditSync as Sync, OnFailure};

/// Smallest file size that may be configured, in bytes: two lines of the greatest length fit.
pub const MIN_FILE_BYTES: u64 = 64 * 1024;
/// Most records that wait for the disk, in bytes: some ten thousand usual ones.
const QUEUE_BYTES: usize = 8 * 1024 * 1024;

impl AuditConfig {
    /// Checks what types cannot say.
    ///
    /// # Errors
    /// Names the key, the value and what would work.
    pub fn validate(&self) -> Result<(), String> {
        if self.max_file_bytes < MIN_FILE_BYTES {
            return Err(format!(
                "audit.max_file_bytes is {}; the least is {MIN_FILE_BYTES}",
                self.max_file_bytes
            ));
        }
        if self.keep_files < 2 {
            return Err(format!(
                "audit.keep_files is {}; the least is 2, the current file and the one before",
                self.keep_files
            ));
        }
        Ok(())
    }
}

/// What [`super::Audit::open`] needs.
#[derive(Debug, Clone)]
pub struct AuditOptions {
    /// Where the files are: made with mode 0700 if there is none; one that others can enter is refused.
    pub directory: PathBuf,
    /// The configuration.
    pub config: AuditConfig,
    /// The name of this host in the records, drawn unless given.
    pub host: Option<String>,
    /// Most bytes of records that wait for the disk.
    pub queue_bytes: usize,
}

impl AuditOptions {
    /// The defaults, in this directory.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            config: AuditConfig::default(),
            host: None,
            queue_bytes: QUEUE_BYTES,
        }
    }
}
