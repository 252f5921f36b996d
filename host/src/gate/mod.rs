//! The gate: decides whether a call may happen, and what exactly it was allowed to reach.
//! Called by the session only. Decides from configuration, grants and the operator's answer.
//! Must not touch: components, files, sockets. It reads links (through `scope`), nothing else.

mod always;
mod approval;
mod ask;
mod decide;
mod decider;
mod explain;
#[allow(clippy::module_inception, reason = "the gate is what this folder is about")]
mod gate;
mod grants;
mod judge;
mod log;
mod mode;
mod named;
mod plan;
mod posture;
mod prompt;
mod rules;
pub mod shell;
mod verdict;

pub use always::{Always, GrantStore};
pub use approval::{Anchor, Approval, ApprovedChannel, ApprovedPath, ApprovedUrl, RefusedPath};
pub use decider::Decider;
pub use explain::{Explanation, Outcome};
pub use gate::Gate;
pub use log::{ApprovalLog, Approved};
pub use mode::Mode;
pub use named::{Passed, Request};
pub use plan::{KeptFlag, PlanChange, PlanState, plan_gated};
pub use posture::{Origins, Posture};
pub use prompt::{Answer, Approver, Asked, Choice, Decision, PromptError, PromptKind, PromptRequest, Prompter};
pub(crate) use rules::denied_among;
pub use rules::{Policy, Rule, RuleError, Ruling};
