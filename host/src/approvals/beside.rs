//! The socket beside a medium that is there anyway.

use std::sync::Arc;
use std::time::Duration;

use super::broker::Broker;
use crate::gate::{Asked, PromptError, PromptRequest, Prompter};

/// The first answer counts, as with `FirstOf`; but as long as the other medium
/// asks, the socket may be silent without the question failing there.
pub(super) struct Beside {
    pub(super) other: Arc<dyn Prompter>,
    pub(super) broker: Broker,
}

impl Prompter for Beside {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async move {
            let mut question = match self.broker.book.open(request) {
                Ok(question) => question,
                Err(error) => {
                    tracing::warn!(%error, "a question cannot be answered over the approval socket");
                    return self.other.prompt(request).await;
                }
            };
            let error = tokio::select! {
                biased;
                outcome = self.other.prompt(request) => match outcome {
                    Err(error) => error,
                    answer => return answer,
                },
                answer = question.answered() => return answer,
            };
            self.broker.alone(question).await.map_err(|also| match also {
                PromptError::Unattended(_) if !matches!(error, PromptError::Unattended(_)) => error,
                also => PromptError::Failed(format!("{error}; the approval socket: {also}")),
            })
        })
    }

    fn patience(&self) -> Option<Duration> {
        let (other, socket) = (self.other.patience()?, self.broker.patience()?);
        Some(other.max(socket))
    }
}
