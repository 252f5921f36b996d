//! One client of the socket.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::time::timeout;

use super::book::{Attendance, Book, Told};
use super::protocol::{Event, Refusal, RefusalCode, Reply, Request, line, request};
use super::requests::{Incoming, MAX_LINE, Requests};
use crate::gate::Approver;

/// How long a client that does not watch may be silent.
const IDLE: Duration = Duration::from_secs(60);

/// How long a client may take to read one line. What changes meanwhile is not
/// queued for it, so a slow one holds up nobody and costs no memory.
const SLOW: Duration = Duration::from_secs(10);

pub(super) struct Connection {
    requests: Requests,
    output: OwnedWriteHalf,
    peer: Approver,
    book: Arc<Book>,
    watching: Option<Watching>,
}

struct Watching {
    told: Told,
    _attendance: Attendance,
}

impl Connection {
    pub(super) fn new(stream: UnixStream, peer: Approver, book: Arc<Book>) -> Self {
        let (input, output) = stream.into_split();
        Self {
            requests: Requests::new(input),
            output,
            peer,
            book,
            watching: None,
        }
    }

    /// Until the client closes, is too slow, or sends something endless.
    pub(super) async fn serve(mut self) -> io::Result<()> {
        let mut changes = self.book.changes();
        loop {
            changes.mark_unchanged();
            self.report().await?;
            let incoming = tokio::select! {
                biased;
                incoming = self.requests.next() => incoming?,
                _ = changes.changed(), if self.watching.is_some() => continue,
                () = tokio::time::sleep(IDLE), if self.watching.is_none() => return Ok(()),
            };
            match incoming {
                Incoming::End => return Ok(()),
                Incoming::Line(text) if text.trim_ascii().is_empty() => {}
                Incoming::Line(text) => match request(&text) {
                    Ok(request) => self.handle(request).await?,
                    Err(refusal) => self.reply(Reply::Refused(refusal)).await?,
                },
                Incoming::TooLong => {
                    let error = format!("a request has at most {MAX_LINE} bytes");
                    return self
                        .reply(Reply::Refused(Refusal::new(RefusalCode::TooLong, error)))
                        .await;
                }
            }
        }
    }

    async fn handle(&mut self, request: Request) -> io::Result<()> {
        match request {
            Request::List {} => {
                let mut told = Told::new();
                let mut pending = 0;
                while let Some(event) = self.book.news(&mut told) {
                    if matches!(event, Event::Prompt(_)) {
                        pending += 1;
                    }
                    self.write(&line(&event)).await?;
                }
                self.reply(Reply::Listed { pending }).await
            }
            Request::Watch {} => {
                // Counted before the reply: who reads it can rely on it.
                self.watching.get_or_insert_with(|| Watching {
                    told: Told::new(),
                    _attendance: self.book.attend(),
                });
                self.reply(Reply::Watching).await
            }
            Request::Answer { id, decision, approver } => {
                let answered = self.book.answer(&id, &decision, approver.as_deref(), self.peer.clone());
                self.reply(answered.map_or_else(Reply::Refused, Reply::Acknowledged))
                    .await
            }
        }
    }

    /// Tells a watching client what it does not know yet.
    async fn report(&mut self) -> io::Result<()> {
        loop {
            let Some(watching) = &mut self.watching else {
                return Ok(());
            };
            let Some(event) = self.book.news(&mut watching.told) else {
                return Ok(());
            };
            self.write(&line(&event)).await?;
        }
    }

    async fn reply(&mut self, reply: Reply) -> io::Result<()> {
        self.write(&line(&reply)).await
    }

    async fn write(&mut self, line: &[u8]) -> io::Result<()> {
        timeout(SLOW, self.output.write_all(line)).await?
    }
}
