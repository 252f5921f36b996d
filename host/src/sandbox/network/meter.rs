//! Counting what comes in over a connection, below every protocol: frames and padding cost the other side as much as a page.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes of handshakes, heads and framing that a request may cost beside its body.
const BESIDE: u64 = 2 << 20;
/// What the error says; errors of HTTP/2 keep only the words.
const EXCEEDED: &str = "more came in than any answer needs";

/// What a connection may still receive.
#[derive(Debug)]
pub(super) struct Meter(AtomicU64);

impl Meter {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(BESIDE)))
    }

    /// Makes room for the answer of one more request, with a body of so many bytes; small chunks
    /// can double it.
    pub(super) fn grant(&self, body: u64) {
        let more = body.saturating_mul(2).saturating_add(BESIDE);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            Some(left.saturating_add(more))
        });
    }

    fn take(&self, bytes: u64) -> io::Result<()> {
        let taken = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(drop).map_err(|_| io::Error::other(EXCEEDED))
    }
}

/// Whether an error, told with its causes, comes from a meter.
pub(super) fn is_exceeded(words: &str) -> bool {
    words.contains(EXCEEDED)
}

/// A stream with a meter.
pub(super) struct Metered<S> {
    stream: S,
    meter: Arc<Meter>,
}

impl<S> Metered<S> {
    pub(super) fn new(stream: S, meter: Arc<Meter>) -> Self {
        Self { stream, meter }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let came = buffer.filled().len().saturating_sub(before);
        Poll::Ready(self.meter.take(came as u64))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
