//! Allow and deny rules: `tool:glob`, `glob`, and the documented names `tool.NAME`, `tool.NAME:glob`, `tool.bash.cmd:NAME`.
//! Called by the gate, and by the sandbox for what a walk meets below an approved path and where a request is sent on to.
//! Must not touch: modes, grants, files. A rule speaks of a tool and a key, nothing else.

mod glob;
mod keys;
mod policy;
mod rule;

pub(in crate::gate) use glob::escape;
pub(crate) use policy::denied_among;
pub use policy::{Policy, Ruling};
pub use rule::{Rule, RuleError};
