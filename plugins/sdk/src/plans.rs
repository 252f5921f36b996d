//! Recording the plan of the session that calls. For the built-in tool `record_plan`: a plugin that
//! imports this is refused.

use crate::bindings::toolgate::plugin::plans as host;
use crate::{Error, ErrorKind};

pub use host::{Outcome, PlanError, Recorded};

/// Records a plan of at most 1 MiB.
///
/// # Errors
///
/// The plan is blank or too long, there is nowhere to write it, or writing failed; the session is
/// as before then.
pub fn record(plan: &str) -> Result<Recorded, PlanError> {
    host::record(plan)
}

impl From<PlanError> for Error {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Empty(text) => Self::invalid_arguments(text),
            PlanError::TooLong(text) => Self::limit(text),
            PlanError::Unavailable(text) => Self::new(ErrorKind::Unavailable, text),
            PlanError::Failed(text) => Self::failed(text),
        }
    }
}
