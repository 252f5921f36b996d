//! The answer to a URL that is not admitted.

use std::fmt;

/// Why a URL, or an address that it leads to, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Refusal {
    /// What decided: `url_scope.allow`, `url_scope.deny[0]`, `url_scope.address` or `url_scope.metadata`.
    pub rule: String,
    /// What was refused and why, without credentials, path and query.
    pub reason: String,
    /// The one change of the configuration that would let it pass, as an
    /// order: `add "x.org" to url_scope.allow`. `None` where no single change does.
    pub change: Option<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &self.change {
            Some(change) => write!(f, "; to let it pass, {change}"),
            None => Ok(()),
        }
    }
}
