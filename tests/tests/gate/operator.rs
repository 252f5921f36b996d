//! An operator who says what the test wants, and notes what was asked.

use std::sync::{Arc, Mutex};

use toolgate::gate::{Answer, Asked, Decision, PromptError, PromptRequest, Prompter};

/// Answers with what was set last, and keeps the questions.
#[derive(Default)]
pub(crate) struct Operator {
    answer: Mutex<Option<Result<Decision, PromptError>>>,
    asked: Mutex<Vec<PromptRequest>>,
}

impl Operator {
    /// What the next questions are answered with.
    pub(crate) fn says(&self, answer: Result<Decision, PromptError>) {
        *self.answer.lock().unwrap() = Some(answer);
    }

    /// The questions since the last look.
    pub(crate) fn asked(&self) -> Vec<PromptRequest> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// As a prompter of sessions.
    pub(crate) fn prompter(self: &Arc<Self>) -> Option<Arc<dyn Prompter>> {
        Some(Arc::clone(self) as Arc<dyn Prompter>)
    }
}

impl Prompter for Operator {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        self.asked.lock().unwrap().push(request.clone());
        let answer = self.answer.lock().unwrap().clone();
        Box::pin(async move {
            match answer {
                Some(answer) => answer.map(Answer::from),
                None => panic!("nobody expected the question about {}", request.detail),
            }
        })
    }
}
