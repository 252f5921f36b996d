//! One session over standard input and output.

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt};
use tokio_util::sync::CancellationToken;

use super::handler::Shared;
use super::long_lines::LongLines;
use super::opening::Opening;
use super::{MAX_MESSAGE_BYTES, ServeError, channel};
use crate::Host;
use crate::prompters::Media;

/// Serves one client over the process's standard streams until it closes
/// standard input or `shutdown` is cancelled. A `session` with a name finds
/// again what it kept under that name before. `media` are asked for approvals
/// beside the client, if that one can ask its user.
///
/// From the first line on, descriptor 1 of the process is standard error:
/// nothing but protocol messages reaches the client, whatever prints.
///
/// # Errors
/// When the streams cannot be taken over, or the client opens the session with
/// something else than a request of the protocol.
pub async fn serve_stdio(
    host: Host,
    media: Media,
    session: Option<String>,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let (input, output) = channel::take().map_err(ServeError::Channel)?;
    let gone = CancellationToken::new();
    let (shared, departure) = Shared::new(host, media, session);
    let handler = shared.handler(gone.clone());
    drop(shared);
    let input = LongLines::new(input, MAX_MESSAGE_BYTES);
    let lines = AsyncRwTransport::<RoleServer, _, _>::new_server(input, output).with_max_line_length(MAX_MESSAGE_BYTES);
    let started = handler.serve_with_ct(Opening::new(lines, gone.clone()), shutdown).await;
    let ended = match started {
        Ok(running) => running.waiting().await,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(ServeError::Opening(error.to_string())),
    };
    gone.cancel();
    departure.wait().await;
    match ended {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Stopped(error.to_string())),
        Ok(_) => Ok(()),
    }
}
