//! The 2025 protocol: the server asks while the call waits.

use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientResult, ElicitRequest, RequestId, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};

use super::form::{decision, form};
use crate::{Decision, PromptRequest};

/// Asks the client's user. Anything but an answer is a denial.
pub(super) async fn ask(client: Peer<RoleServer>, request: &PromptRequest) -> Decision {
    match answer(client, request).await {
        Ok(ClientResult::ElicitResult(answer)) => decision(&answer),
        Ok(_) => {
            tracing::warn!("the client answered an elicitation with something else");
            Decision::Deny
        }
        Err(error) => {
            tracing::warn!("the client cannot ask its user: {error}");
            Decision::Deny
        }
    }
}

async fn answer(client: Peer<RoleServer>, request: &PromptRequest) -> Result<ClientResult, ServiceError> {
    let form = form(request, true).map_err(|_| ServiceError::UnexpectedResponse)?;
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
