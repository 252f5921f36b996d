//! One finding about one value.

use crate::config::key_path::KeyPath;

/// What a finding leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum Severity {
    /// The configuration cannot be used.
    Error,
    /// The value is passed over, with a word.
    PassedOver,
    /// The value stands, with a word.
    Remark,
}

/// What was found, where.
#[derive(Debug, Clone)]
pub(in crate::config) struct Complaint {
    pub(in crate::config) path: KeyPath,
    pub(in crate::config) severity: Severity,
    pub(in crate::config) text: String,
}

impl Complaint {
    pub(in crate::config) fn error(path: KeyPath, text: impl Into<String>) -> Self {
        Self {
            path,
            severity: Severity::Error,
            text: text.into(),
        }
    }

    pub(in crate::config) fn remark(path: KeyPath, text: impl Into<String>) -> Self {
        Self {
            path,
            severity: Severity::Remark,
            text: text.into(),
        }
    }
}
