//! Accepted connections: how many, and when one is over.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::ConnectInfo;
use axum::extract::connect_info::Connected;
use axum::http::request::Parts;
use axum::serve::{IncomingStream, Listener};
use rmcp::model::Extensions;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Connections open at the same time. Each may hold one message of the
/// greatest size, so this bounds what clients can make the host buffer
/// (row M08); further ones wait in the kernel's queue.
const MAX_CONNECTIONS: usize = 256;

/// What a request can learn of its connection.
#[derive(Clone)]
pub(in crate::mcp::server) struct Connection {
    closed: CancellationToken,
}

impl Connection {
    /// Resolves when the connection that carried this request is closed; never
    /// for a request that came another way. The answer of a call travels on
    /// that connection and on no other, so nobody is left to read it.
    pub(in crate::mcp::server) async fn closed(extensions: &Extensions) {
        match Self::of(extensions) {
            Some(connection) => connection.closed.cancelled().await,
            None => std::future::pending().await,
        }
    }

    /// Whether the request came over HTTP.
    pub(in crate::mcp::server) fn carried(extensions: &Extensions) -> bool {
        Self::of(extensions).is_some()
    }

    fn of(extensions: &Extensions) -> Option<&Self> {
        let parts = extensions.get::<Parts>()?;
        parts.extensions.get::<ConnectInfo<Self>>().map(|info| &info.0)
    }
}

impl Connected<IncomingStream<'_, Connections>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        Self {
            closed: stream.io().closed.clone(),
        }
    }
}

/// The listener, with a bound on what it accepts.
pub(super) struct Connections {
    listener: TcpListener,
    slots: Arc<Semaphore>,
}

impl Connections {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            slots: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
        }
    }
}

impl Listener for Connections {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        // The semaphore is never closed, so the permit is always there in the end.
        let slot = self.slots.clone().acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Messages are small and answers are awaited: do not wait for more to send.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("TCP_NODELAY: {error}");
        }
        let closed = CancellationToken::new();
        let stream = Stream {
            stream,
            closed: closed.clone(),
            _on_drop: closed.drop_guard(),
            _slot: slot,
        };
        (stream, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// One accepted connection; dropped by the HTTP server when it is over.
pub(super) struct Stream {
    stream: TcpStream,
    closed: CancellationToken,
    _on_drop: DropGuard,
    _slot: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
