//! The client at the other end of a connection: reading its requests, noticing that it left.

use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;

use super::request::Request;
use super::wire::Tap;

/// The longest head or body of a request.
const REQUEST_CAP: usize = 1 << 20;

/// A client with what it has sent but nobody has parsed yet.
pub(super) struct Peer {
    pub(super) wire: Tap,
    unread: Vec<u8>,
}

impl Peer {
    pub(super) fn new(wire: Tap) -> Self {
        Self {
            wire,
            unread: Vec::new(),
        }
    }

    /// The connection, and what came after the last request.
    pub(super) fn into_parts(self) -> (Tap, Vec<u8>) {
        (self.wire, self.unread)
    }

    /// Waits until the client has sent something, or has left.
    pub(super) async fn first_bytes(&mut self) -> io::Result<()> {
        match self.unread.is_empty() {
            true => self.fill().await,
            false => Ok(()),
        }
    }

    /// Reads the next request and records it.
    ///
    /// # Errors
    /// When the client leaves before it is complete, or when it is too long.
    pub(super) async fn request(&mut self) -> io::Result<Request> {
        let end = self.find(0, b"\r\n\r\n").await?;
        let mut request = Request::from_head(&self.unread[..end], self.wire.log().index());
        let start = end + 4;
        let length = request
            .header("content-length")
            .and_then(|value| value.parse::<usize>().ok());
        let used = if request.header("transfer-encoding").is_some() {
            self.chunks(start, &mut request.body).await?
        } else {
            let end = start.saturating_add(length.unwrap_or(0));
            self.fill_to(end).await?;
            request.body = self.unread[start..end].to_vec();
            end
        };
        request.raw = self.unread.drain(..used).collect();
        request.at = Instant::now();
        self.wire.log().request(request.clone());
        Ok(request)
    }

    /// Waits, but not longer than the client stays.
    pub(super) async fn pause(&mut self, time: Duration) -> io::Result<()> {
        match tokio::time::timeout(time, self.gone()).await {
            Ok(error) => Err(error),
            Err(_) => Ok(()),
        }
    }

    /// Waits until the client leaves, keeping what it sends; how it left.
    pub(super) async fn gone(&mut self) -> io::Error {
        loop {
            if let Err(error) = self.fill().await {
                return error;
            }
            if self.unread.len() > REQUEST_CAP {
                self.unread.clear();
            }
        }
    }

    /// The index of `pattern` at or after `start`, reading as far as needed.
    async fn find(&mut self, start: usize, pattern: &[u8]) -> io::Result<usize> {
        loop {
            let rest = self.unread.get(start..).unwrap_or_default();
            if let Some(index) = rest.windows(pattern.len()).position(|window| window == pattern) {
                return Ok(start + index);
            }
            self.fill().await?;
            within_cap(self.unread.len())?;
        }
    }

    async fn fill_to(&mut self, length: usize) -> io::Result<()> {
        within_cap(length)?;
        while self.unread.len() < length {
            self.fill().await?;
        }
        Ok(())
    }

    /// Undoes chunking (RFC 9112, section 7.1); trailers are read over. The
    /// index after the body.
    async fn chunks(&mut self, mut start: usize, body: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            let line = self.find(start, b"\r\n").await?;
            let text = String::from_utf8_lossy(&self.unread[start..line]);
            let digits = text.split(';').next().unwrap_or_default().trim();
            let size =
                usize::from_str_radix(digits, 16).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
            if size == 0 {
                let mut end = line;
                loop {
                    let next = self.find(end + 2, b"\r\n").await?;
                    if next == end + 2 {
                        return Ok(next + 2);
                    }
                    end = next;
                }
            }
            start = (line + 2).saturating_add(size).saturating_add(2);
            self.fill_to(start).await?;
            body.extend_from_slice(&self.unread[line + 2..start - 2]);
        }
    }

    async fn fill(&mut self) -> io::Result<()> {
        match self.wire.read_buf(&mut self.unread).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn within_cap(length: usize) -> io::Result<()> {
    match length > REQUEST_CAP {
        true => Err(io::Error::new(ErrorKind::InvalidData, "a request above 1 MiB")),
        false => Ok(()),
    }
}
