//! A listener that hands every connection to a task of its own.

use std::future::Future;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::time::Duration;

use tokio::net::TcpStream;

use super::background::Background;
use super::recorder::{ConnectionLog, Recorder};

/// Where servers listen if the test does not say: any free port.
pub(super) const LOOPBACK: &str = "127.0.0.1:0";

/// A TCP server.
pub(super) struct Service {
    address: SocketAddr,
    recorder: Recorder,
    _background: Background,
}

impl Service {
    /// Listens, and gives every connection to `handle`.
    ///
    /// # Panics
    /// When the address is not on loopback or cannot be had.
    pub(super) fn start<H, F>(name: &str, address: impl ToSocketAddrs, handle: H) -> Self
    where
        H: Fn(TcpStream, ConnectionLog) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = bind(address);
        let address = listener.local_addr().expect("a listener has an address");
        let recorder = Recorder::default();
        let serve = accept(listener, recorder.clone(), handle);
        Self {
            address,
            recorder,
            _background: Background::start(name, serve),
        }
    }

    /// Where it listens.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it saw.
    pub(super) fn recorder(&self) -> &Recorder {
        &self.recorder
    }
}

/// Binds a listener for use in a runtime.
///
/// # Panics
/// When the address is not on loopback or cannot be had.
pub(super) fn bind(address: impl ToSocketAddrs) -> TcpListener {
    let listener = TcpListener::bind(address).unwrap_or_else(|error| panic!("cannot listen: {error}"));
    let bound = listener.local_addr().expect("a listener has an address");
    assert!(bound.ip().is_loopback(), "{bound} is not a loopback address");
    listener
        .set_nonblocking(true)
        .expect("a listener can be made non-blocking");
    listener
}

async fn accept<H, F>(listener: TcpListener, recorder: Recorder, handle: H)
where
    H: Fn(TcpStream, ConnectionLog) -> F,
    F: Future<Output = ()> + Send + 'static,
{
    let listener = tokio::net::TcpListener::from_std(listener).expect("a non-blocking listener");
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Out of descriptors, or gone before it was accepted: neither ends the server.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // A script decides when bytes leave, not Nagle's algorithm.
        let _ = stream.set_nodelay(true);
        tokio::spawn(handle(stream, recorder.opened(peer)));
    }
}
