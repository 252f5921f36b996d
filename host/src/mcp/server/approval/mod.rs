//! Asking the operator through the client, by the protocol's elicitation.
//! The handler opens a channel for each call; the gate's question comes back through it.
//! It must not touch: what an answer means. It hands on a `Decision` and keeps no grant.

mod elicit;
mod form;
mod pending;
mod rounds;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::{Peer, RequestContext};

pub(super) use pending::Pending;
pub(super) use rounds::Rounds;

use crate::{Decision, PromptRequest, Prompter};

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
pub(super) struct ThroughClient;

impl Prompter for ThroughClient {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(async move {
            match CHANNEL.try_with(Clone::clone) {
                Ok(Channel::Elicit(client)) => elicit::ask(client, request).await,
                Ok(Channel::Rounds(rounds)) => rounds.ask(request).await,
                Err(_) => {
                    tracing::warn!(tool = request.tool, "a question outside of a call cannot be asked");
                    Decision::Deny
                }
            }
        })
    }
}
