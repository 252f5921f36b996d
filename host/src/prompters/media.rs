//! The media that a front end has.

use std::sync::Arc;

use super::FirstOf;
use crate::approvals::Broker;
use crate::gate::Prompter;

/// The media of a server or a run, besides what its client can show.
#[derive(Clone, Default)]
pub struct Media {
    /// The terminal, or what else an embedding program shows questions on.
    pub terminal: Option<Arc<dyn Prompter>>,
    /// The approval socket.
    pub socket: Option<Broker>,
}

impl Media {
    /// A prompter that asks through all of them and through the client, if it
    /// can ask its user; `None` without any.
    pub fn prompter(&self, client: Option<Arc<dyn Prompter>>) -> Option<Arc<dyn Prompter>> {
        let visible = match (client, &self.terminal) {
            (Some(client), Some(terminal)) => Some(Arc::new(
                FirstOf::new()
                    .and("the client", client)
                    .and("the terminal", Arc::clone(terminal)),
            ) as Arc<dyn Prompter>),
            (client, terminal) => client.or_else(|| terminal.clone()),
        };
        match (visible, &self.socket) {
            (Some(visible), Some(socket)) => Some(socket.beside(visible)),
            (None, Some(socket)) => Some(Arc::new(socket.clone())),
            (visible, None) => visible,
        }
    }
}
