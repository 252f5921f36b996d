//! The 2026 protocol: a call ends with a question and is repeated with the answer.

use std::sync::Mutex;

use tokio::sync::Notify;

use crate::PromptRequest;
use crate::gate::{Answer, PromptError, PromptKind};

/// The questions of one call, answered and open.
#[derive(Default)]
pub(in crate::mcp::server) struct Rounds {
    state: Mutex<State>,
    asked: Notify,
}

#[derive(Default)]
struct State {
    answered: Vec<Answered>,
    open: Option<PromptRequest>,
}

/// An answer to exactly one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mcp::server) struct Answered {
    pub(super) question: Question,
    pub(super) answer: Result<Answer, PromptError>,
}

/// What identifies a question: an answer never serves for another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mcp::server) struct Question {
    kind: PromptKind,
    tool: String,
    operation: &'static str,
    detail: String,
    arguments: String,
}

impl From<&PromptRequest> for Question {
    fn from(request: &PromptRequest) -> Self {
        Self {
            kind: request.kind,
            tool: request.tool.clone(),
            operation: request.operation,
            detail: request.detail.clone(),
            arguments: request.arguments.clone(),
        }
    }
}

impl Rounds {
    /// A call with the answers of its earlier rounds.
    pub(in crate::mcp::server) fn new(answered: Vec<Answered>) -> Self {
        Self {
            state: Mutex::new(State { answered, open: None }),
            asked: Notify::new(),
        }
    }

    /// The answer, if an earlier round brought it. Otherwise the question is
    /// handed to the handler, which drops the call, and this never resolves.
    pub(super) async fn ask(&self, request: &PromptRequest) -> Result<Answer, PromptError> {
        let question = Question::from(request);
        {
            let mut state = self.lock();
            if let Some(answered) = state.answered.iter().find(|answered| answered.question == question) {
                return answered.answer.clone();
            }
            state.open = Some(request.clone());
        }
        self.asked.notify_one();
        std::future::pending().await
    }

    /// Resolves with the question that the call cannot go on without, and the
    /// answers so far.
    pub(in crate::mcp::server) async fn question(&self) -> (PromptRequest, Vec<Answered>) {
        loop {
            self.asked.notified().await;
            let mut state = self.lock();
            if let Some(open) = state.open.take() {
                return (open, std::mem::take(&mut state.answered));
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is whole between any two statements.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
