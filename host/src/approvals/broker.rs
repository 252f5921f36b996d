//! The prompter behind the socket.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::beside::Beside;
use super::book::{Book, Question};
use super::listener::{ListenError, Listener};
use crate::gate::{Answer, Asked, PromptError, PromptRequest, Prompter};

/// How long a question waits for an operator who may be elsewhere.
const PATIENCE: Duration = Duration::from_secs(300);

const WAYS_OUT: &str = "no terminal, no client that can ask its user, and nobody watches the approval socket; an \
                        operator can run `toolgate approvals watch` while calls are made, or start this with \
                        --approvals, so that questions wait for `toolgate approvals`";

/// What a question does that can only be answered over the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alone {
    /// It waits for whoever comes.
    Waits,
    /// It waits while somebody is watching and is refused otherwise, so that
    /// no unattended run hangs.
    WhileWatched,
}

/// Asks whoever is connected to the approval socket. Clones share the questions.
#[derive(Clone)]
pub struct Broker {
    pub(super) book: Arc<Book>,
    alone: Alone,
}

impl Broker {
    /// A broker that nobody can reach until it listens.
    pub fn new(alone: Alone) -> Self {
        Self {
            book: Arc::new(Book::new()),
            alone,
        }
    }

    /// Opens the socket below a state directory, in the current runtime.
    /// Sockets of processes that are gone are removed.
    ///
    /// # Errors
    /// When the directory is not private or the socket cannot be made.
    pub fn listen(&self, state: &Path) -> Result<Listener, ListenError> {
        Listener::open(state, &self.book)
    }

    /// Asks another medium and the socket at the same time. When the other
    /// fails, the question stays with the socket as [`Alone`] says.
    pub fn beside(&self, other: Arc<dyn Prompter>) -> Arc<dyn Prompter> {
        Arc::new(Beside {
            other,
            broker: self.clone(),
        })
    }

    /// Waits for the answer to a question that nobody else can answer.
    pub(super) async fn alone(&self, mut question: Question) -> Result<Answer, PromptError> {
        match self.alone {
            Alone::Waits => question.answered().await,
            Alone::WhileWatched => tokio::select! {
                biased;
                answer = question.answered() => answer,
                () = self.book.unwatched() => Err(PromptError::Unattended(WAYS_OUT.to_owned())),
            },
        }
    }
}

impl Prompter for Broker {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async move { self.alone(self.book.open(request)?).await })
    }

    fn patience(&self) -> Option<Duration> {
        Some(PATIENCE)
    }
}
