//! The gate: decides whether a call may happen, and what exactly it was allowed to reach.
//! Called by the session only. Decides from configuration, grants and the operator's answer.
//! Must not touch: components, files, sockets. It reads links (through `scope`), nothing else.

mod approval;
mod decide;
mod grants;
mod mode;
mod plan;
mod prompt;
mod rules;
mod verdict;

pub use approval::{Anchor, Approval, ApprovedPath, RefusedPath};
pub use decide::Gate;
pub use grants::Grants;
pub use mode::Mode;
pub use plan::{KeptFlag, PlanChange, PlanState, plan_gated};
pub use prompt::{Decision, PromptKind, PromptRequest, Prompter};
pub use rules::{Policy, Rule, RuleError, Ruling};
