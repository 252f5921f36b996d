//! The leaves of the gate.

#[path = "../../../../host/src/gate/mode.rs"]
mod mode;
#[path = "../../../../host/src/gate/rules.rs"]
mod rules;
#[path = "../../../../host/src/gate/shell/mod.rs"]
pub mod shell;

pub use mode::Mode;
pub use rules::{Policy, Rule, RuleError, Ruling};
