//! The leaves of the gate.

#[path = "../../../../host/src/gate/decider.rs"]
mod decider;
#[path = "../../../../host/src/gate/mode.rs"]
mod mode;
#[path = "../../../../host/src/gate/rules/mod.rs"]
mod rules;
#[path = "../../../../host/src/gate/shell/mod.rs"]
pub mod shell;

pub use decider::Decider;
pub use mode::Mode;
pub use rules::{Policy, Rule, RuleError, Ruling};
