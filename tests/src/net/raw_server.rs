//! A TCP server below HTTP: it plays one script on every connection.

use std::net::{SocketAddr, ToSocketAddrs};

use super::peer::Peer;
use super::recorder::Recorder;
use super::script::{Script, play};
use super::service::{LOOPBACK, Service};
use super::wire::Tap;

/// A server that parses nothing. When its script is done it closes.
pub struct RawServer {
    service: Service,
}

impl RawServer {
    /// Plays the script on every connection once the client has sent its first
    /// bytes, such as a TLS greeting.
    pub fn start(script: Script) -> Self {
        Self::start_at(LOOPBACK, true, script)
    }

    /// Plays it at once, like a server that speaks first.
    pub fn speaking_first(script: Script) -> Self {
        Self::start_at(LOOPBACK, false, script)
    }

    /// The same at an address such as `[::1]:0`.
    ///
    /// # Panics
    /// When the address is not on loopback or cannot be had.
    pub fn start_at(address: impl ToSocketAddrs, wait_for_client: bool, script: Script) -> Self {
        let service = Service::start("raw-server", address, move |stream, log| {
            let script = script.clone();
            async move {
                let mut peer = Peer::new(Tap::new(stream, log));
                if !wait_for_client || peer.first_bytes().await.is_ok() {
                    // Its end is the end of the connection, however it came.
                    let _ = play(script, &mut peer).await;
                }
            }
        });
        Self { service }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// What it saw.
    pub fn recorder(&self) -> &Recorder {
        self.service.recorder()
    }
}
