//! Answers that are known before the question.

use std::collections::VecDeque;
use std::sync::Mutex;

use crate::gate::{Asked, Decision, PromptError, PromptRequest, Prompter};

/// Gives the same decision to every question, or decisions from a list; for
/// tests, and for setups in which the operator has decided beforehand. No
/// approver is named: nobody looked at the question.
///
/// A decision that a question does not offer is refused by the gate.
#[derive(Debug)]
pub struct Static {
    /// Taken from the front.
    script: Mutex<VecDeque<Decision>>,
    /// For every question after the script.
    rest: Option<Decision>,
}

impl Static {
    /// The same decision for every question.
    pub fn always(decision: Decision) -> Self {
        Self {
            script: Mutex::default(),
            rest: Some(decision),
        }
    }

    /// One decision for each question, in this order; questions beyond the
    /// list are unattended.
    pub fn script(decisions: impl IntoIterator<Item = Decision>) -> Self {
        Self {
            script: Mutex::new(decisions.into_iter().collect()),
            rest: None,
        }
    }

    fn next(&self) -> Option<Decision> {
        // The list is whole between any two statements.
        let mut script = self.script.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        script.pop_front().or(self.rest)
    }
}

impl Prompter for Static {
    fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
        let used_up = || PromptError::Unattended("all prepared answers are used up".to_owned());
        Box::pin(std::future::ready(self.next().map(Into::into).ok_or_else(used_up)))
    }
}
