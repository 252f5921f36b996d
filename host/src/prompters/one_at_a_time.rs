//! A queue before a medium that shows one question at a time.

use std::time::Duration;

use tokio::sync::Mutex;

use crate::gate::{Asked, PromptRequest, Prompter};

/// Shows one question at a time: the others wait for their turn, in the order
/// they came. One that is withdrawn leaves the queue.
#[derive(Debug)]
pub struct OneAtATime<P> {
    medium: P,
    turn: Mutex<()>,
}

impl<P> OneAtATime<P> {
    /// A queue before this medium.
    pub fn new(medium: P) -> Self {
        Self {
            medium,
            turn: Mutex::new(()),
        }
    }
}

impl<P: Prompter> Prompter for OneAtATime<P> {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async move {
            let _turn = self.turn.lock().await;
            self.medium.prompt(request).await
        })
    }

    fn patience(&self) -> Option<Duration> {
        self.medium.patience()
    }
}
