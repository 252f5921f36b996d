//! Lines from a client.

use std::io;

use tokio::io::AsyncReadExt;
use tokio::net::unix::OwnedReadHalf;

/// Longest line, in bytes: an answer has about a hundred.
pub(super) const MAX_LINE: usize = 8 << 10;

/// Reads lines; a read that is given up loses nothing.
pub(super) struct Requests {
    stream: OwnedReadHalf,
    buffer: Vec<u8>,
}

/// What comes from the client next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Incoming {
    /// A line without its end.
    Line(Vec<u8>),
    /// More than a line may have.
    TooLong,
    /// The client has closed its side.
    End,
}

impl Requests {
    pub(super) fn new(stream: OwnedReadHalf) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
        }
    }

    pub(super) async fn next(&mut self) -> io::Result<Incoming> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.buffer).filter(|end| *end <= MAX_LINE) {
                let rest = self.buffer.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.buffer, rest);
                line.truncate(end);
                return Ok(Incoming::Line(line));
            }
            if self.buffer.len() > MAX_LINE {
                return Ok(Incoming::TooLong);
            }
            self.buffer.reserve(1024);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                let rest = std::mem::take(&mut self.buffer);
                let is_empty = rest.is_empty();
                return Ok(if is_empty { Incoming::End } else { Incoming::Line(rest) });
            }
        }
    }
}
