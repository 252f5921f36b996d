//! Accepting connections, from whom and how many.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{AtFlags, Mode};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::book::Book;
use super::connection::Connection;
use super::descent::is_descendant;
use super::places;
use super::protocol::{Refusal, RefusalCode, Reply, line};
use super::user::name_of;
use crate::gate::Approver;

/// Connections open at the same time; further ones are told so and closed.
pub(super) const MAX_CONNECTIONS: usize = 64;

/// How long to wait when no connection can be accepted, for example because
/// too many descriptors are open.
const PAUSE: Duration = Duration::from_millis(200);

/// An approval socket that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The directory.
    #[error("the directory of the approval sockets: {0}")]
    Directory(String),
    /// The socket.
    #[error("an approval socket cannot be opened in {folder}: {reason}")]
    Socket {
        /// The directory.
        folder: String,
        /// What the system said.
        #[source]
        reason: io::Error,
    },
}

/// An open approval socket; dropping it closes and removes it.
pub struct Listener {
    folder: OwnedFd,
    name: String,
    _end: DropGuard,
}

impl Listener {
    pub(super) fn open(state: &Path, book: &Arc<Book>) -> Result<Self, ListenError> {
        let path = places::folder(state);
        let folder = places::open_private(&path).map_err(ListenError::Directory)?;
        let name = places::draw_name().map_err(ListenError::Directory)?;
        let failed = |reason| ListenError::Socket {
            folder: path.display().to_string(),
            reason,
        };
        if let Err(error) = places::sweep(folder.as_fd()) {
            tracing::debug!(%error, "old approval sockets stay");
        }
        let listener = bind(&folder, &name).map_err(failed)?;
        let end = CancellationToken::new();
        let accepting = accept(listener, Arc::clone(book), end.clone());
        tokio::spawn(end.clone().run_until_cancelled_owned(accepting));
        Ok(Self {
            folder,
            name,
            _end: end.drop_guard(),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        places::remove(self.folder.as_fd(), &self.name);
    }
}

/// The socket gets its name when it can be connected to, so that nobody takes
/// it for one that was left behind.
fn bind(folder: &OwnedFd, name: &str) -> io::Result<UnixListener> {
    let unready = format!("{name}{}", places::UNREADY);
    let listener = std::os::unix::net::UnixListener::bind(places::through(folder.as_fd(), &unready))?;
    listener.set_nonblocking(true)?;
    rustix::fs::chmodat(folder, &*unready, Mode::RUSR | Mode::WUSR, AtFlags::empty())?;
    let listener = UnixListener::from_std(listener)?;
    rustix::fs::renameat(folder, &*unready, folder, name)?;
    Ok(listener)
}

async fn accept(listener: UnixListener, book: Arc<Book>, end: CancellationToken) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "the approval socket cannot accept a connection");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let uid = match peer(&stream) {
            Ok(uid) => uid,
            Err(refusal) => {
                turn_away(&stream, refusal);
                continue;
            }
        };
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            let error = format!("{MAX_CONNECTIONS} connections are open; close one");
            turn_away(&stream, Refusal::new(RefusalCode::Busy, error));
            continue;
        };
        let book = Arc::clone(&book);
        let serving = async move {
            let _slot = slot;
            // The user database may have to be asked over a network.
            let Ok(who) = tokio::task::spawn_blocking(move || name_of(uid)).await else {
                return;
            };
            let peer = Approver {
                who,
                how: "socket".to_owned(),
            };
            if let Err(error) = Connection::new(stream, peer, book).serve().await {
                tracing::debug!(%error, "a connection to the approval socket ended");
            }
        };
        tokio::spawn(end.clone().run_until_cancelled_owned(serving));
    }
}

/// Who is connected, by what the kernel says: this user or root, nobody else,
/// and no process that a tool has started.
fn peer(stream: &UnixStream) -> Result<u32, Refusal> {
    let forbidden = |error: String| Refusal::new(RefusalCode::Forbidden, error);
    let peer = stream.peer_cred().map_err(|error| forbidden(error.to_string()))?;
    if peer.pid().is_some_and(is_descendant) {
        let error = "what this server has started cannot answer its questions";
        return Err(forbidden(error.to_owned()));
    }
    let uid = peer.uid();
    let own = rustix::process::geteuid().as_raw();
    if uid == own || uid == 0 {
        return Ok(uid);
    }
    Err(forbidden(format!(
        "only user {own} and root may answer here, not user {uid}"
    )))
}

fn turn_away(stream: &UnixStream, refusal: Refusal) {
    // The first line fits into the buffer of a new connection.
    let _ = stream.try_write(&line(&Reply::Refused(refusal)));
}
