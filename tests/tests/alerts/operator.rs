//! An operator with one answer, who notes what was asked.

use std::sync::{Arc, Mutex};

use toolgate::gate::Asked;
use toolgate::{Answer, Decision, PromptRequest, Prompter, SessionOptions};

/// Answers every question in the same way.
pub(crate) struct Operator {
    answer: Decision,
    asked: Mutex<Vec<PromptRequest>>,
}

impl Operator {
    pub(crate) fn who_says(answer: Decision) -> Arc<Self> {
        Arc::new(Self {
            answer,
            asked: Mutex::default(),
        })
    }

    /// The questions since the last look.
    pub(crate) fn asked(&self) -> Vec<PromptRequest> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// What the questions since the last look were about.
    pub(crate) fn details(&self) -> Vec<String> {
        self.asked().into_iter().map(|request| request.detail).collect()
    }

    /// A session whose questions come here.
    pub(crate) fn session(self: &Arc<Self>) -> SessionOptions {
        SessionOptions {
            prompter: Some(Arc::clone(self) as Arc<dyn Prompter>),
            ..SessionOptions::default()
        }
    }
}

impl Prompter for Operator {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        self.asked.lock().unwrap().push(request.clone());
        Box::pin(async { Ok(Answer::from(self.answer)) })
    }
}
