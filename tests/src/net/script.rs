//! What a server does with a connection, step by step.

use std::io;
use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::peer::Peer;

/// How many bytes [`Step::Endless`] and [`Step::Pulse`] send at most, 256 MiB:
/// a client that reads without end must fail its test, not exhaust the machine.
pub const ENDLESS_CAP: u64 = 256 << 20;

/// How long a properly closed connection waits for the client to close too.
/// Closing earlier could turn into a reset, which destroys what is under way.
const LINGER: Duration = Duration::from_secs(1);

/// The steps of an answer. When they are done the connection stays open for
/// the next request.
pub type Script = Vec<Step>;

/// One step of an answer. When the client leaves, the rest is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Does nothing for a while.
    Wait(Duration),
    /// Sends bytes one at a time.
    Drip {
        /// What to send.
        bytes: Vec<u8>,
        /// The pause before each byte.
        every: Duration,
    },
    /// Sends the same bytes again and again as fast as the client reads them,
    /// until it leaves or [`ENDLESS_CAP`] is reached, which closes the connection.
    Endless(Vec<u8>),
    /// The same with a pause before each repetition: a connection that is never
    /// idle and never done.
    Pulse {
        /// What to send each time.
        bytes: Vec<u8>,
        /// The pause before each time.
        every: Duration,
    },
    /// Keeps the connection open in silence until the client leaves.
    Stall,
    /// Closes properly; over TLS with its closing alert.
    Close,
    /// Ends the TCP connection; over TLS without the closing alert, as an
    /// attacker would who cuts an answer short (RFC 8446, section 6.1).
    Cut,
    /// Resets the TCP connection.
    Reset,
}

/// Plays a script.
///
/// # Errors
/// When the connection is over, by the script or by the client.
pub(super) async fn play(script: Script, peer: &mut Peer) -> io::Result<()> {
    for step in script {
        match step {
            Step::Send(bytes) => send(peer, &bytes).await?,
            Step::Wait(time) => peer.pause(time).await?,
            Step::Drip { bytes, every } => {
                for byte in bytes {
                    peer.pause(every).await?;
                    send(peer, &[byte]).await?;
                }
            }
            Step::Endless(bytes) => repeat(peer, &bytes, None).await?,
            Step::Pulse { bytes, every } => repeat(peer, &bytes, Some(every)).await?,
            Step::Stall => return Err(peer.gone().await),
            Step::Close => return close(peer).await,
            Step::Cut => return Err(over()),
            Step::Reset => {
                peer.wire.reset_at_end();
                return Err(over());
            }
        }
    }
    Ok(())
}

async fn send(peer: &mut Peer, bytes: &[u8]) -> io::Result<()> {
    peer.wire.write_all(bytes).await?;
    peer.wire.flush().await
}

async fn repeat(peer: &mut Peer, bytes: &[u8], every: Option<Duration>) -> io::Result<()> {
    assert!(!bytes.is_empty(), "an empty repetition never ends");
    let mut sent = 0;
    while sent < ENDLESS_CAP {
        if let Some(every) = every {
            peer.pause(every).await?;
        }
        send(peer, bytes).await?;
        sent += bytes.len() as u64;
    }
    close(peer).await
}

async fn close(peer: &mut Peer) -> io::Result<()> {
    peer.wire.shutdown().await?;
    let _ = tokio::time::timeout(LINGER, peer.gone()).await;
    Err(over())
}

fn over() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}
