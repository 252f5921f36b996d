//! A transport that tolerates a noisy start and notices the end.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

/// How long calls may go on after the client has closed its end. A client that
/// wrote its requests and closed still reads the answers of short calls; a
/// client that died does not leave a call running for more than a second (row M05).
const GRACE: Duration = Duration::from_millis(500);

/// Wraps the line transport of one stdio session.
pub(super) struct Opening<T> {
    inner: T,
    opened: bool,
    gone: CancellationToken,
}

impl<T> Opening<T> {
    /// `gone` is cancelled shortly after the client closed its end.
    pub(super) fn new(inner: T, gone: CancellationToken) -> Self {
        Self {
            inner,
            opened: false,
            gone,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Opening<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.inner.receive().await else {
                let gone = self.gone.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(GRACE).await;
                    gone.cancel();
                });
                return None;
            };
            // A session starts with a request. The SDK gives up on anything
            // else, but nothing in the protocol asks for that.
            self.opened |= matches!(message, JsonRpcMessage::Request(_));
            if self.opened {
                return Some(message);
            }
            tracing::debug!("ignoring a message before the first request");
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
