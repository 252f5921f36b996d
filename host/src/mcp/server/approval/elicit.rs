//! The 2025 protocol: the server asks while the call waits.

use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientResult, ElicitRequest, ElicitRequestParams, RequestId,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};

use super::form::{decision, form, offered};
use super::{CHANNEL, Channel};
use crate::gate::{Answer, Asked, PromptError};
use crate::{PromptRequest, Prompter};

/// The user of the client whose call this task is making.
pub(super) struct ClientUser;

impl Prompter for ClientUser {
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a> {
        Box::pin(async move {
            match CHANNEL.try_with(Clone::clone) {
                Ok(Channel::Elicit(client)) => ask(client, request).await,
                _ => Err(PromptError::Closed(
                    "the question belongs to no call of a client".to_owned(),
                )),
            }
        })
    }
}

async fn ask(client: Peer<RoleServer>, request: &PromptRequest) -> Result<Answer, PromptError> {
    let choices = offered(request, true);
    let form = form(request, &choices).map_err(PromptError::Failed)?;
    match send(client, form).await {
        Ok(ClientResult::ElicitResult(answer)) => decision(&answer, &choices),
        Ok(_) => Err(PromptError::Failed(
            "the client answered the form with something else".to_owned(),
        )),
        Err(
            error @ (ServiceError::TransportClosed | ServiceError::TransportSend(_) | ServiceError::Cancelled { .. }),
        ) => Err(PromptError::Closed(format!("the client is gone: {error}"))),
        Err(error) => Err(PromptError::Failed(format!("the client cannot ask its user: {error}"))),
    }
}

async fn send(client: Peer<RoleServer>, form: ElicitRequestParams) -> Result<ClientResult, ServiceError> {
    let question = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let handle = client
        .send_cancellable_request(question, PeerRequestOptions::no_options())
        .await?;
    let mut withdraw = Withdraw {
        question: Some((client, handle.id.clone())),
    };
    let answer = handle.await_response().await;
    withdraw.question = None;
    answer
}

/// A call that ends before its question is answered takes the question back,
/// so that no dialog stays open for nothing.
struct Withdraw {
    question: Option<(Peer<RoleServer>, RequestId)>,
}

impl Drop for Withdraw {
    fn drop(&mut self) {
        let Some((client, id)) = self.question.take() else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let reason = Some("the call has ended".to_owned());
        let withdrawal = CancelledNotification::new(CancelledNotificationParam::new(Some(id), reason));
        runtime.spawn(async move {
            // If the client is gone, so is its dialog.
            let _ = client.send_notification(withdrawal.into()).await;
        });
    }
}
