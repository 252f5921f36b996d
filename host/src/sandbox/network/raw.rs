//! The body of a response as it comes in, counted.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http_body::Body;
use hyper::body::Incoming;
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

/// The body as it comes in.
pub(super) struct Raw {
    incoming: Incoming,
    chunk: Bytes,
    /// Bytes that came in so far.
    pub(super) read: u64,
    /// Bytes that may come in.
    most: u64,
    /// Whether more came in.
    pub(super) exceeded: bool,
    pub(super) ended: bool,
}

impl Raw {
    pub(super) fn new(incoming: Incoming, most: u64) -> Self {
        Self {
            incoming,
            chunk: Bytes::new(),
            read: 0,
            most,
            exceeded: false,
            ended: false,
        }
    }

    /// Whether the body ended before it began.
    pub(super) fn is_empty(&self) -> bool {
        self.ended && self.read == 0
    }

    /// Fills the chunk unless the end is reached.
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.chunk.is_empty() && !self.ended {
            match ready!(Pin::new(&mut self.incoming).poll_frame(context)) {
                None => self.ended = true,
                Some(Err(error)) => return Poll::Ready(Err(io::Error::other(error))),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.read += data.len() as u64;
                        self.chunk = data;
                        // A decoder reads on as long as nothing comes out of it.
                        if self.read > self.most {
                            self.exceeded = true;
                            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
                        }
                    }
                }
            }
        }
        Poll::Ready(Ok(()))
    }

    /// The next bytes, at most `most` of them; none at the end.
    pub(super) async fn next(&mut self, most: usize) -> io::Result<Bytes> {
        std::future::poll_fn(|context| self.poll_chunk(context)).await?;
        let most = most.min(self.chunk.len());
        Ok(self.chunk.split_to(most))
    }
}

impl AsyncRead for Raw {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let raw = self.get_mut();
        ready!(raw.poll_chunk(context))?;
        let most = buffer.remaining().min(raw.chunk.len());
        buffer.put_slice(&raw.chunk[..most]);
        raw.chunk.advance(most);
        Poll::Ready(Ok(()))
    }
}

impl AsyncBufRead for Raw {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let raw = self.get_mut();
        ready!(raw.poll_chunk(context))?;
        Poll::Ready(Ok(&raw.chunk))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        self.get_mut().chunk.advance(amount);
    }
}
