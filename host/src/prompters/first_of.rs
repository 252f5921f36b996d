//! Several media at the same time.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::gate::{Answer, Asked, PromptError, PromptRequest, Prompter};

/// Asks several media at the same time. The first answer counts and withdraws
/// the question from the others. A medium that fails leaves it to the others.
#[derive(Clone, Default)]
pub struct FirstOf {
    media: Vec<(&'static str, Arc<dyn Prompter>)>,
}

impl FirstOf {
    /// Nobody yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more medium; errors call it by this name.
    #[must_use]
    pub fn and(mut self, name: &'static str, medium: Arc<dyn Prompter>) -> Self {
        self.media.push((name, medium));
        self
    }
}

impl Prompter for FirstOf {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        let media = self.media.iter();
        let mut race = Race {
            open: media.map(|(name, medium)| (*name, medium.prompt(request))).collect(),
            failed: Vec::new(),
        };
        Box::pin(poll_fn(move |context| race.poll(context)))
    }

    /// As long as the most patient medium.
    fn patience(&self) -> Option<Duration> {
        let all: Option<Vec<Duration>> = self.media.iter().map(|(_, medium)| medium.patience()).collect();
        all?.into_iter().max()
    }
}

struct Race<'a> {
    open: Vec<(&'static str, Asked<'a>)>,
    failed: Vec<(&'static str, PromptError)>,
}

impl Race<'_> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Answer, PromptError>> {
        let mut at = 0;
        while at < self.open.len() {
            let (name, question) = &mut self.open[at];
            match question.as_mut().poll(context) {
                Poll::Pending => at += 1,
                Poll::Ready(Err(error)) => {
                    self.failed.push((*name, error));
                    drop(self.open.remove(at));
                }
                Poll::Ready(answer) => {
                    self.open.clear();
                    return Poll::Ready(answer);
                }
            }
        }
        if self.open.is_empty() {
            Poll::Ready(Err(together(&mut self.failed)))
        } else {
            Poll::Pending
        }
    }
}

/// What all failures come to; one alone stays what it is.
fn together(failed: &mut Vec<(&'static str, PromptError)>) -> PromptError {
    if failed.len() == 1
        && let Some((_, error)) = failed.pop()
    {
        return error;
    }
    if failed.is_empty() {
        return PromptError::Unattended("there is no medium to ask through".to_owned());
    }
    let unattended = failed
        .iter()
        .all(|(_, error)| matches!(error, PromptError::Unattended(_)));
    let all: Vec<String> = failed
        .drain(..)
        .map(|(name, error)| format!("{name}: {error}"))
        .collect();
    if unattended {
        PromptError::Unattended(all.join("; "))
    } else {
        PromptError::Failed(all.join("; "))
    }
}
