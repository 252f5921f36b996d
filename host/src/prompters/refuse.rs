//! Nobody to ask.

use crate::gate::{Asked, PromptError, PromptRequest, Prompter};

/// Refuses every question at once, for runs that nobody attends.
#[derive(Debug, Clone)]
pub struct Refuse {
    ways_out: String,
}

impl Refuse {
    /// With what an operator can do, in words of the front end.
    pub fn new(ways_out: impl Into<String>) -> Self {
        Self {
            ways_out: ways_out.into(),
        }
    }
}

impl Default for Refuse {
    /// With the ways out that every front end has.
    fn default() -> Self {
        Self::new(
            "this run is unattended; an operator can run it from a terminal, start it with --approvals and answer \
             with `toolgate approvals`, add a rule to permissions.allow, or choose another mode",
        )
    }
}

impl Prompter for Refuse {
    fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
        Box::pin(std::future::ready(Err(PromptError::Unattended(self.ways_out.clone()))))
    }
}
