//! Targets, and the way to them.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a client asked a proxy for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name or the address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Whether the client left it to the proxy to resolve a name.
    pub by_name: bool,
}

impl Target {
    /// Reads `host:port` as in the request of a tunnel.
    pub(super) fn parse(authority: &str, default_port: Option<u16>) -> Option<Self> {
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()?),
            _ => (authority, default_port?),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        Some(Self {
            host: host.to_owned(),
            port,
            by_name: host.parse::<IpAddr>().is_err(),
        })
    }
}

/// Where a proxy connects to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upstream {
    /// Always to this address, whatever the target.
    Fixed(SocketAddr),
    /// To the target, if it is an address on loopback.
    AsAsked,
    /// Nowhere: an HTTP proxy answers with this status, a SOCKS proxy with a
    /// general failure.
    Refused(u16),
}

impl Upstream {
    /// Connects.
    pub(super) async fn connect(self, target: &Target) -> io::Result<TcpStream> {
        let address = match self {
            Self::Fixed(address) => Some(address),
            Self::AsAsked => target
                .host
                .parse()
                .ok()
                .map(|host: IpAddr| SocketAddr::new(host, target.port)),
            Self::Refused(_) => None,
        };
        match address.filter(|address| address.ip().is_loopback()) {
            Some(address) => TcpStream::connect(address).await,
            None => Err(io::ErrorKind::AddrNotAvailable.into()),
        }
    }

    /// The status with which an HTTP proxy says that it did not connect.
    pub(super) fn refusal(self) -> u16 {
        match self {
            Self::Refused(status) => status,
            Self::Fixed(_) | Self::AsAsked => 502,
        }
    }
}

/// The targets asked for so far.
#[derive(Clone, Default)]
pub(super) struct Targets(Arc<Mutex<Vec<Target>>>);

impl Targets {
    pub(super) fn push(&self, target: Target) {
        self.0.lock().expect("no thread panicked with the targets").push(target);
    }

    pub(super) fn all(&self) -> Vec<Target> {
        self.0.lock().expect("no thread panicked with the targets").clone()
    }
}

/// Passes bytes in both directions until both sides are done, beginning with
/// what the client sent too early.
pub(super) async fn relay(mut client: impl AsyncRead + AsyncWrite + Unpin, mut server: TcpStream, early: &[u8]) {
    if server.write_all(early).await.is_ok() {
        // Its error is the end of one side, which the other side sees.
        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
    }
}
