//! Plan-first: what may happen before a plan is recorded.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a session has recorded a plan. Shared with its subagents.
#[derive(Debug, Default)]
pub struct PlanState {
    recorded: AtomicBool,
}

impl PlanState {
    /// Whether a plan is recorded.
    pub fn recorded(&self) -> bool {
        self.recorded.load(Ordering::Acquire)
    }

    /// A plan was recorded. Whether this is what opened the gate.
    pub fn record(&self) -> bool {
        !self.recorded.swap(true, Ordering::AcqRel)
    }

    /// The plan no longer holds.
    pub fn revoke(&self) {
        self.recorded.store(false, Ordering::Release);
    }
}

/// Tools that pass before there is a plan, whatever they reach: they look, or
/// change nothing but the session's own notes.
const EXEMPT: [&str; 10] = [
    "read_file",
    "read_many_files",
    "view_file_outline",
    "stat",
    "list_dir",
    "glob",
    "grep",
    "json_query",
    "todo",
    "record_plan",
];

/// Whether a tool passes before there is a plan.
pub(super) fn exempt(tool: &str) -> bool {
    EXEMPT.contains(&tool)
}
