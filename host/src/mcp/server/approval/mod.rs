//! Asking the operator through the client, by the protocol's elicitation.
//! The handler opens a channel for each call; the gate's question comes back through it.
//! It must not touch: what an answer means. It hands on the answer and keeps no grant.

mod elicit;
mod form;
mod pending;
mod rounds;

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::{Peer, RequestContext};

pub(super) use pending::Pending;
pub(super) use rounds::Rounds;

use elicit::ClientUser;

use crate::gate::{Asked, PromptError};
use crate::prompters::{Media, OneAtATime};
use crate::{PromptRequest, Prompter};

tokio::task_local! {
    /// The way back to the client of the call that this task is making. The
    /// gate asks within the call's own future, so calls of one session that run
    /// side by side never see each other's channel.
    static CHANNEL: Channel;
}

/// How the client of one call can be asked.
#[derive(Clone)]
pub(super) enum Channel {
    /// 2025 protocol: a request from server to client while the call waits.
    Elicit(Peer<RoleServer>),
    /// 2026 protocol: the call ends with a question and is repeated with the answer.
    Rounds(Arc<Rounds>),
}

impl Channel {
    /// Runs a call whose questions go through this channel.
    pub(super) async fn scope<F: Future>(self, call: F) -> F::Output {
        CHANNEL.scope(self, call).await
    }
}

/// Whether the client of this request can show a form to its user.
pub(super) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    context
        .client_capabilities()
        .and_then(|capabilities| capabilities.elicitation)
        // Neither way named means forms: that is how the first version had it.
        .is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none())
}

/// Whether questions of this request are answered by repeating it.
pub(super) fn by_rounds(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The prompter of sessions whose client can ask its user.
pub(super) struct ThroughClient {
    /// One form at a time, beside the other media of the server.
    form: Arc<dyn Prompter>,
}

impl ThroughClient {
    pub(super) fn new(media: &Media) -> Self {
        let form: Arc<dyn Prompter> = Arc::new(OneAtATime::new(ClientUser));
        Self {
            form: media.prompter(Some(Arc::clone(&form))).unwrap_or(form),
        }
    }
}

impl Prompter for ThroughClient {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async move {
            match CHANNEL.try_with(Clone::clone) {
                Ok(Channel::Elicit(_)) => self.form.prompt(request).await,
                // The call ends here and comes back with the answer; between
                // the two there is no call that another medium could ask for.
                Ok(Channel::Rounds(rounds)) => rounds.ask(request).await,
                Err(_) => Err(PromptError::Failed(
                    "a question outside of a call cannot be asked".to_owned(),
                )),
            }
        })
    }

    fn patience(&self) -> Option<Duration> {
        self.form.patience()
    }
}
