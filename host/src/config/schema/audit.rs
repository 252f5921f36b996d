//! `audit`: the log of calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `audit`: the log of calls in the state directory. A project's own file can never change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AuditConfig {
    /// Whether there is a log; true unless set.
    pub enabled: bool,
    /// When a record counts as written; `none` unless set.
    pub sync: Sync,
    /// What happens when it cannot be written; `continue` unless set.
    pub on_failure: OnFailure,
    /// Whether the chain of records is keyed; true unless set. A key that is there is always used.
    pub keyed: bool,
    /// Bytes after which a new file begins; 64 MiB unless set, at least 64 KiB.
    #[schemars(range(min = 65_536))]
    pub max_file_bytes: u64,
    /// Files that are kept, the current one included; 8 unless set, at least 2.
    #[schemars(range(min = 2))]
    pub keep_files: u64,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            sync: Sync::None,
            on_failure: OnFailure::Continue,
            keyed: true,
            max_file_bytes: 64 << 20,
            keep_files: 8,
        }
    }
}

/// `audit.sync`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sync {
    /// A call does not wait: its record is with the kernel about a millisecond later. What a killed process
    /// had not handed over yet is lost, and so is what the kernel had not written at a power failure.
    #[default]
    None,
    /// A call ends when its record is on the disk. Records that arrive together share one flush.
    Each,
}

/// `audit.on_failure`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Calls go on. Records wait in memory; those for which there is no room are counted, and
    /// the log says how many were lost as soon as it can be written again.
    #[default]
    Continue,
    /// No further call runs until the log can be written again.
    Stop,
}
