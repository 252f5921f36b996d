//! One server, from the operator's side.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;

use super::places;
use super::protocol::{Event, Refusal, Reply, line};

/// How long a server may take to say something that was asked for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Longest line taken from a server, in bytes: a question holds the arguments
/// of a call, which arrive in a message of 4 MiB or from a file of 64 MiB.
const MAX_LINE: u64 = 256 << 20;

/// What went wrong on the operator's side.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The directory of the sockets cannot be read.
    #[error("{folder}: {reason}")]
    Directory {
        /// The directory.
        folder: String,
        /// What the system said.
        #[source]
        reason: io::Error,
    },
    /// A server cannot be spoken with.
    #[error("the server behind {socket} does not answer properly: {reason}")]
    Server {
        /// The name of its socket.
        socket: String,
        /// What went wrong.
        reason: String,
    },
    /// The server does not take the answer.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// A connection to one server.
pub(super) struct Server {
    socket: String,
    stream: BufReader<UnixStream>,
}

pub(super) enum Message {
    Event(Event),
    Reply(Reply),
}

impl Server {
    /// Connects to a server; `None` if it is gone, and then its socket is, too.
    pub(super) async fn connect(folder: &Path, socket: &str) -> Result<Option<Self>, ClientError> {
        let improper = |error: io::Error| ClientError::Server {
            socket: socket.to_owned(),
            reason: error.to_string(),
        };
        let Some(folder) = places::open(folder).map_err(improper)? else {
            return Ok(None);
        };
        match UnixStream::connect(places::through(folder.as_fd(), socket)).await {
            Ok(stream) => Ok(Some(Self {
                socket: socket.to_owned(),
                stream: BufReader::new(stream),
            })),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                places::remove(folder.as_fd(), socket);
                Ok(None)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(improper(error)),
        }
    }

    pub(super) fn improper(&self, reason: impl ToString) -> ClientError {
        ClientError::Server {
            socket: self.socket.clone(),
            reason: reason.to_string(),
        }
    }

    pub(super) async fn send(&mut self, request: &serde_json::Value) -> Result<(), ClientError> {
        let sent = timeout(PATIENCE, self.stream.write_all(&line(request))).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.improper(error)),
            Err(late) => Err(self.improper(late)),
        }
    }

    /// The next message, if it comes soon.
    pub(super) async fn message(&mut self) -> Result<Message, ClientError> {
        match timeout(PATIENCE, self.read()).await {
            Ok(message) => message,
            Err(late) => Err(self.improper(late)),
        }
    }

    /// The next reply, if it comes soon.
    pub(super) async fn reply(&mut self) -> Result<Reply, ClientError> {
        match self.message().await? {
            Message::Reply(Reply::Refused(refusal)) => Err(refusal.into()),
            Message::Reply(reply) => Ok(reply),
            Message::Event(_) => Err(self.improper("an event where a reply was due")),
        }
    }

    /// The next event, whenever it comes.
    pub(super) async fn event(&mut self) -> Result<Event, ClientError> {
        match self.read().await? {
            Message::Event(event) => Ok(event),
            Message::Reply(Reply::Refused(refusal)) => Err(refusal.into()),
            Message::Reply(_) => Err(self.improper("a reply that nobody asked for")),
        }
    }

    async fn read(&mut self) -> Result<Message, ClientError> {
        let mut line = Vec::new();
        let read = (&mut self.stream).take(MAX_LINE).read_until(b'\n', &mut line).await;
        read.map_err(|error| self.improper(error))?;
        if !line.ends_with(b"\n") {
            return Err(self.improper("the connection was closed"));
        }
        let value: serde_json::Value = serde_json::from_slice(&line).map_err(|error| self.improper(error))?;
        let message = if value.get("event").is_some() {
            serde_json::from_value(value).map(Message::Event)
        } else {
            serde_json::from_value(value).map(Message::Reply)
        };
        message.map_err(|error| self.improper(error))
    }
}
