//! Why a plan is not recorded or not withdrawn.

use super::PLAN_BYTES;
use crate::call::{CallError, ErrorKind};

/// A failed operation on plans. After one, a session without a recorded plan still has none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Nothing but white space.
    #[error("`plan` is blank; it must be non-empty text: the plan itself, for the operator to read")]
    Empty,
    /// More than [`PLAN_BYTES`]; how many bytes it has.
    #[error("`plan` has {0} bytes, more than the {PLAN_BYTES} bytes (1 MiB) that a plan may have; write less")]
    TooLong(usize),
    /// There are no plans here; the text says why and what would change it.
    #[error("{0}")]
    Unavailable(String),
    /// The file system refused; the text names what was done, where, and why it failed.
    #[error("{0}")]
    Failed(String),
}

impl PlanError {
    /// The same as the error of a call of `who`.
    pub(crate) fn of(self, who: &str) -> CallError {
        let kind = match self {
            Self::Empty => ErrorKind::InvalidArguments,
            Self::TooLong(_) => ErrorKind::Limit,
            Self::Unavailable(_) => ErrorKind::Unavailable,
            Self::Failed(_) => ErrorKind::Failed,
        };
        CallError::new(kind, format!("{who}: {self}"))
    }
}
