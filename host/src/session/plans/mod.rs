//! Plans: the Markdown files that say what an agent means to do, and the flag that one is recorded.
//! Called by the session, and through it by the capability that `record_plan` is granted.
//! Must not touch: anything but `plans/` in the agents directory and the flag of the calling session.

mod author;
mod choose;
mod directory;
mod error;
mod flag;
mod head;
mod lock;
mod memory;
mod message;
mod name;
mod recorder;
mod result;
mod setup;
mod store;
#[cfg(test)]
mod tests;

pub use author::Author;
pub use error::PlanError;
pub(super) use flag::StoredFlag;
pub(crate) use recorder::{Plans, SessionPlans};
pub use result::{PlanOutcome, RecordedPlan, Replanned};
#[cfg(test)]
use store::PlanStore;

/// The longest plan, in bytes: 1 MiB. A plan is prose that a person reads; more is a loop.
pub const PLAN_BYTES: usize = 1 << 20;
