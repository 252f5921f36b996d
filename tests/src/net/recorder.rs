//! What a server really saw.

use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::request::Request;

/// How many received bytes of one connection are kept.
const RECEIVED_CAP: usize = 1 << 20;

/// One accepted connection.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The client's address.
    pub peer: SocketAddr,
    /// When it was accepted.
    pub at: Instant,
    /// When the server was done with it: the peer left, or the server closed it.
    pub ended: Option<Instant>,
    /// What the client sent, TLS removed; the first MiB of it.
    pub received: Vec<u8>,
    /// How many bytes of answers, TLS removed, the kernel took. It takes a few
    /// MiB more than the client reads.
    pub sent: u64,
    /// The server name in the client's TLS greeting.
    pub sni: Option<String>,
    /// The protocols that the client offered by ALPN.
    pub alpn_offered: Vec<String>,
    /// The protocol agreed on by ALPN.
    pub alpn: Option<String>,
    /// The TLS version agreed on, such as `TLSv1_3`; none before the handshake is complete.
    pub tls_version: Option<String>,
    /// Why the TLS handshake failed, such as the client's alert.
    pub tls_error: Option<String>,
}

#[derive(Default)]
struct Seen {
    connections: Vec<Connection>,
    requests: Vec<Request>,
}

/// The record of one server; it outlives the server.
#[derive(Clone, Default)]
pub struct Recorder {
    shared: Arc<(Mutex<Seen>, Condvar)>,
}

impl Recorder {
    /// The connections in the order of their acceptance.
    pub fn connections(&self) -> Vec<Connection> {
        self.seen().connections.clone()
    }

    /// The complete requests in the order of their arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.seen().requests.clone()
    }

    /// Their bytes as received.
    pub fn raw_requests(&self) -> Vec<Vec<u8>> {
        self.seen().requests.iter().map(|request| request.raw.clone()).collect()
    }

    /// The targets of the requests, such as `/a?b`.
    pub fn targets(&self) -> Vec<String> {
        self.seen()
            .requests
            .iter()
            .map(|request| request.target.clone())
            .collect()
    }

    /// Waits until `count` requests have come, and returns all.
    ///
    /// # Panics
    /// When they do not come in time.
    pub fn wait_for_requests(&self, count: usize, patience: Duration) -> Vec<Request> {
        self.wait(patience, &format!("{count} requests"), |seen| {
            seen.requests.len() >= count
        });
        self.requests()
    }

    /// Waits until `count` connections have been accepted and all of them have
    /// ended, and returns them.
    ///
    /// # Panics
    /// When that does not happen in time.
    pub fn wait_for_end(&self, count: usize, patience: Duration) -> Vec<Connection> {
        self.wait(patience, &format!("the end of {count} connections"), |seen| {
            seen.connections.len() >= count && seen.connections.iter().all(|one| one.ended.is_some())
        });
        self.connections()
    }

    /// Enters a new connection.
    pub(super) fn opened(&self, peer: SocketAddr) -> ConnectionLog {
        let mut seen = self.seen();
        seen.connections.push(Connection {
            peer,
            at: Instant::now(),
            ended: None,
            received: Vec::new(),
            sent: 0,
            sni: None,
            alpn_offered: Vec::new(),
            alpn: None,
            tls_version: None,
            tls_error: None,
        });
        ConnectionLog(Pen {
            recorder: self.clone(),
            index: seen.connections.len() - 1,
        })
    }

    fn wait(&self, patience: Duration, what: &str, done: impl Fn(&Seen) -> bool) {
        let (_, changed) = &*self.shared;
        let (seen, _) = changed
            .wait_timeout_while(self.seen(), patience, |seen| !done(seen))
            .expect("no thread panicked with the record");
        assert!(
            done(&seen),
            "no {what} within {patience:?}; seen: {} connections, {} requests",
            seen.connections.len(),
            seen.requests.len()
        );
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.0.lock().expect("no thread panicked with the record")
    }
}

/// Writes into the record of one connection.
#[derive(Clone)]
pub(super) struct Pen {
    recorder: Recorder,
    index: usize,
}

impl Pen {
    pub(super) fn index(&self) -> usize {
        self.index
    }

    pub(super) fn received(&self, bytes: &[u8]) {
        self.edit(|connection| {
            let room = RECEIVED_CAP - connection.received.len();
            connection.received.extend_from_slice(&bytes[..bytes.len().min(room)]);
        });
    }

    pub(super) fn sent(&self, bytes: usize) {
        self.edit(|connection| connection.sent += bytes as u64);
    }

    pub(super) fn request(&self, request: Request) {
        self.recorder.seen().requests.push(request);
        self.recorder.shared.1.notify_all();
    }

    pub(super) fn edit(&self, change: impl FnOnce(&mut Connection)) {
        change(&mut self.recorder.seen().connections[self.index]);
        self.recorder.shared.1.notify_all();
    }
}

/// The pen that marks the connection's end when it is dropped.
pub(super) struct ConnectionLog(Pen);

impl std::ops::Deref for ConnectionLog {
    type Target = Pen;

    fn deref(&self) -> &Pen {
        &self.0
    }
}

impl Drop for ConnectionLog {
    fn drop(&mut self) {
        self.edit(|connection| connection.ended = Some(Instant::now()));
    }
}
