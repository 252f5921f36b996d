//! An address to which no connection succeeds or fails.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// How long the kernel may take to complete a connection that it will complete.
const FULL_AFTER: Duration = Duration::from_millis(300);

/// A listener whose queue is full: the kernel drops further attempts, and the
/// client waits until its own time limit.
pub struct Blackhole {
    address: SocketAddr,
    _listener: TcpListener,
    _queued: Vec<TcpStream>,
    _runtime: tokio::runtime::Runtime,
}

impl Blackhole {
    /// One on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When the queue cannot be filled.
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let (listener, queued) = runtime.block_on(async {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
            let listener = socket.listen(0).expect("the socket listens");
            let address = listener.local_addr().expect("a listener has an address");
            let mut queued = Vec::new();
            while let Ok(stream) = tokio::time::timeout(FULL_AFTER, TcpStream::connect(address)).await {
                queued.push(stream.expect("a place in the queue"));
                assert!(queued.len() < 100, "the queue does not fill");
            }
            (listener, queued)
        });
        Self {
            address: listener.local_addr().expect("a listener has an address"),
            _listener: listener,
            _queued: queued,
            _runtime: runtime,
        }
    }

    /// The address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Default for Blackhole {
    fn default() -> Self {
        Self::new()
    }
}
