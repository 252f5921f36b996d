//! The gate: decides whether a call may happen, and what exactly it was allowed to reach.
//! Called by the session only. Decides from configuration, grants and the operator's answer.
//! Must not touch: components, files, sockets. It reads links (through `scope`), nothing else.

mod approval;
mod decide;
mod grants;
mod mode;
mod prompt;
mod rules;
pub mod shell;
mod verdict;

pub use approval::{Anchor, Approval, ApprovedPath, RefusedPath};
pub use decide::Gate;
pub use grants::Grants;
pub use mode::Mode;
pub use prompt::{Answer, Approver, Asked, Choice, Decision, PromptError, PromptKind, PromptRequest, Prompter};
pub use rules::{Policy, Rule, RuleError, Ruling};
