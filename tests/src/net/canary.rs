//! A listener that nobody should find.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::service::Service;

/// How long the observer's own connection may take to be noticed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Counts the connections to an address.
pub struct Observer {
    service: Service,
    /// How many connections were the observer's own.
    own: Mutex<usize>,
}

/// Listens at an address such as `127.0.0.2:0` or `[::1]:8080` and closes every
/// connection at once.
///
/// # Panics
/// When the address is not on loopback or cannot be had.
pub fn listen_canary(address: impl ToSocketAddrs) -> Observer {
    let service = Service::start("canary", address, |stream, log| async move {
        drop((stream, log));
    });
    Observer {
        service,
        own: Mutex::new(0),
    }
}

impl Observer {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// How many connections were made so far. The count is exact: connections
    /// are accepted in their order, so when the observer's own one has been
    /// accepted, all earlier ones have been.
    ///
    /// # Panics
    /// When the observer cannot connect to itself.
    pub fn connections_seen(&self) -> usize {
        let mut own = self.own.lock().expect("no thread panicked with the count");
        let earlier = self.service.recorder().connections().len();
        let probe = TcpStream::connect(self.address()).expect("the canary accepts");
        let port = probe.local_addr().expect("a connection has an address");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let connections = self.service.recorder().connections();
            // Only among the later ones, because a port can come again.
            let later = connections[earlier..]
                .iter()
                .position(|connection| connection.peer == port);
            if let Some(index) = later {
                let foreign = earlier + index - *own;
                *own += 1;
                return foreign;
            }
            assert!(Instant::now() < deadline, "the canary does not accept");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
