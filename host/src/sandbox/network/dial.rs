//! Connecting to one of several vetted addresses.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// How long an address may keep the next one waiting (RFC 8305, section 5).
const NEXT_AFTER: Duration = Duration::from_millis(250);
/// Addresses of one name that are tried at all.
const MOST: usize = 16;

/// Dials the addresses in order, the next one when the last has failed or is slow, and takes the
/// first connection. Nothing is sent before it is certain that the other end has the address
/// that was vetted.
pub(super) async fn dial(addresses: &[SocketAddr]) -> io::Result<(TcpStream, SocketAddr)> {
    let mut waiting = addresses.iter().copied().take(MOST);
    let mut running = JoinSet::new();
    let mut failure = io::Error::new(io::ErrorKind::AddrNotAvailable, "there is no address to connect to");
    loop {
        if let Some(address) = waiting.next() {
            running.spawn(connect(address));
        }
        let more = waiting.len() > 0;
        let ended = tokio::select! {
            ended = running.join_next() => ended,
            () = tokio::time::sleep(NEXT_AFTER), if more => continue,
        };
        match ended {
            Some(Ok(Ok(connected))) => return Ok(connected),
            Some(Ok(Err(error))) => failure = error,
            Some(Err(error)) => failure = io::Error::other(error),
            None => return Err(failure),
        }
    }
}

async fn connect(address: SocketAddr) -> io::Result<(TcpStream, SocketAddr)> {
    let stream = TcpStream::connect(address).await?;
    let peer = stream.peer_addr()?;
    if peer != address {
        let text = format!("dialled {address}, and reached {peer}");
        return Err(io::Error::other(text));
    }
    stream.set_nodelay(true)?;
    Ok((stream, peer))
}
