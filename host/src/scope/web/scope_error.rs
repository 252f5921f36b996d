//! An entry of `url_scope` that cannot be used.

use super::url_error::Shown;

/// An entry that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: the pattern {pattern} cannot be used: {reason}")]
pub struct UrlScopeError {
    /// The place of the entry: `url_scope.allow[2]`.
    pub key: String,
    /// The entry as written, without what could be credentials.
    pub pattern: Shown,
    /// What is wrong with it, and what would work.
    pub reason: String,
}

impl UrlScopeError {
    pub(super) fn new(key: String, pattern: &str, reason: impl ToString) -> Self {
        Self {
            key,
            pattern: Shown::of(pattern, pattern),
            reason: reason.to_string(),
        }
    }
}
