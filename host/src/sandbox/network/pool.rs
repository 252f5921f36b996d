//! The open connections of one session. They end with it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use super::connection::Sender;
use super::meter::Meter;
use crate::scope::web::WebUrl;

/// How long a connection may wait for the next request.
const IDLE: Duration = Duration::from_secs(30);
/// Waiting connections of one session.
const MOST: usize = 8;
/// Waiting connections of all sessions of a host.
const MOST_IN_ALL: usize = 256;

/// What makes two requests fit for one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The tool: what one plugin sent over a connection must not meet what another expects on it.
    pub(super) owner: Arc<str>,
    /// Scheme, host and port.
    pub(super) origin: String,
    /// The proxy, without credentials; requests through one do not share connections with others.
    pub(super) proxy: Option<String>,
}

impl Key {
    pub(super) fn new(owner: &Arc<str>, url: &WebUrl, proxy: Option<String>) -> Self {
        Self {
            owner: Arc::clone(owner),
            origin: url.origin(),
            proxy,
        }
    }
}

/// A connection and where it leads.
pub(super) struct Open {
    pub(super) key: Key,
    /// The address at the other end: the host's or, if there is one, the proxy's.
    pub(super) peer: SocketAddr,
    pub(super) sender: Sender,
    pub(super) meter: Arc<Meter>,
}

/// The open connections of one session that wait for a request.
#[derive(Default)]
pub(crate) struct Connections {
    waiting: Mutex<Vec<(Instant, Open)>>,
    /// How many wait in all sessions.
    in_all: Arc<AtomicUsize>,
}

impl Connections {
    pub(super) fn new(in_all: Arc<AtomicUsize>) -> Self {
        Self {
            waiting: Mutex::default(),
            in_all,
        }
    }

    /// A waiting connection for this, if `vetted` still admits where it leads.
    pub(super) fn take(&self, key: &Key, vetted: impl Fn(SocketAddr) -> bool) -> Option<Open> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.drop_old(&mut waiting);
        let found = waiting.iter().rposition(|(_, open)| open.key == *key)?;
        let shared = waiting[found].1.sender.share();
        let open = match shared {
            Some(sender) => Open {
                key: key.clone(),
                peer: waiting[found].1.peer,
                meter: Arc::clone(&waiting[found].1.meter),
                sender,
            },
            None => {
                self.in_all.fetch_sub(1, Ordering::Relaxed);
                waiting.swap_remove(found).1
            }
        };
        vetted(open.peer).then_some(open)
    }

    /// Keeps a connection for the next request; the runtime closes it when it has waited too long.
    pub(super) fn keep(self: &Arc<Self>, open: Open, runtime: &Handle) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.drop_old(&mut waiting);
        // A connection that carries several requests at once waits here but once.
        if open.sender.is_http2() && waiting.iter().any(|(_, other)| other.key == open.key) {
            return;
        }
        let full = waiting.len() >= MOST || self.in_all.load(Ordering::Relaxed) >= MOST_IN_ALL;
        if open.sender.is_closed() || full {
            return;
        }
        self.in_all.fetch_add(1, Ordering::Relaxed);
        waiting.push((Instant::now(), open));
        drop(waiting);
        runtime.spawn(clean_up(Arc::downgrade(self)));
    }

    fn drop_old(&self, waiting: &mut Vec<(Instant, Open)>) {
        let before = waiting.len();
        waiting.retain(|(since, open)| since.elapsed() < IDLE && !open.sender.is_closed());
        self.in_all.fetch_sub(before - waiting.len(), Ordering::Relaxed);
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        let waiting = self.waiting.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.in_all.fetch_sub(waiting.len(), Ordering::Relaxed);
    }
}

/// Closes what has waited too long, also where no request comes any more.
async fn clean_up(connections: Weak<Connections>) {
    tokio::time::sleep(IDLE).await;
    if let Some(connections) = connections.upgrade() {
        let mut waiting = connections.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        connections.drop_old(&mut waiting);
    }
}
