//! How the log is kept.

use std::path::PathBuf;

use serde::Deserialize;

/// Smallest file size that may be configured, in bytes: two lines of the greatest length fit.
pub const MIN_FILE_BYTES: u64 = 64 * 1024;
/// Most records that wait for the disk, in bytes: some ten thousand usual ones.
const QUEUE_BYTES: usize = 8 * 1024 * 1024;

/// When a record counts as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sync {
    /// A call does not wait: its record is with the kernel about a millisecond later. What a killed process
    /// had not handed over yet is lost, and so is what the kernel had not written at a power failure.
    #[default]
    None,
    /// A call ends when its record is on the disk. Records that arrive together share one flush.
    Each,
}

/// What happens to calls whose record cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Calls go on. Records wait in memory; those for which there is no room are counted, and
    /// the log says how many were lost as soon as it can be written again.
    #[default]
    Continue,
    /// No further call runs until the log can be written again.
    Stop,
}

/// `audit`: the section of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AuditConfig {
    /// Whether there is a log in the state directory; true unless set.
    pub enabled: bool,
    /// When a record counts as written; `none` unless set.
    pub sync: Sync,
    /// What happens when it cannot be written; `continue` unless set.
    pub on_failure: OnFailure,
    /// Whether the chain is keyed; true unless set. A key that is there is always used.
    pub keyed: bool,
    /// Bytes after which a new file begins, 64 MiB unless set, at least 64 KiB.
    pub max_file_bytes: u64,
    /// Files that are kept, the current one included, 8 unless set, at least 2.
    pub keep_files: u64,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            sync: Sync::None,
            on_failure: OnFailure::Continue,
            keyed: true,
            max_file_bytes: 64 * 1024 * 1024,
            keep_files: 8,
        }
    }
}

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
