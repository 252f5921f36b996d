//! A connection, plain or TLS, whose bytes are recorded.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::recorder::ConnectionLog;

/// A connection to a client.
pub(super) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {
    /// The TCP connection below.
    fn tcp(&self) -> &TcpStream;
}

impl Wire for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Wire for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// A connection that notes what passes.
pub(super) struct Tap {
    wire: Box<dyn Wire>,
    log: ConnectionLog,
}

impl Tap {
    pub(super) fn new(wire: impl Wire + 'static, log: ConnectionLog) -> Self {
        Self {
            wire: Box::new(wire),
            log,
        }
    }

    pub(super) fn log(&self) -> &ConnectionLog {
        &self.log
    }

    /// Makes the end of the connection a TCP reset instead of a proper close.
    pub(super) fn reset_at_end(&self) {
        // It fails only when the peer has already closed, and then there is nobody to reset.
        let _ = self.wire.tcp().set_zero_linger();
    }
}

impl AsyncRead for Tap {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.wire).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.log.received(&buffer.filled()[before..]);
        }
        read
    }
}

impl AsyncWrite for Tap {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.wire).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = written {
            self.log.sent(count);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.wire).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.wire).poll_shutdown(context)
    }
}
