//! A connection that speaks HTTP.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};

use super::failure::{Class, Failure};

/// Any two-way stream of bytes.
pub(super) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A connected stream: TCP, TLS, or a tunnel through a proxy.
pub(super) type Stream = Box<dyn Duplex>;

/// The body of a request.
pub(super) type Body = UnsyncBoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// Bytes of a response's head at most.
const HEAD_BYTES: usize = 64 << 10;
/// Lines of a response's head at most.
const HEAD_LINES: usize = 256;
/// Bytes that a server may send ahead on one stream of HTTP/2.
const WINDOW: u32 = 1 << 20;

/// The sending half; a task of its own drives the connection.
pub(super) enum Sender {
    Http1(http1::SendRequest<Body>),
    Http2(http2::SendRequest<Body>),
}

/// A request that got no answer.
pub(super) struct Unsent {
    pub(super) error: hyper::Error,
    /// The request, if none of it was sent.
    pub(super) request: Option<Box<Request<Body>>>,
}

impl Sender {
    /// Agrees on the protocol. The connection ends with this sender and the bodies read from it.
    pub(super) async fn handshake(stream: Stream, http2: bool) -> Result<Self, Failure> {
        let fail =
            |error: hyper::Error| Failure::new(Class::Protocol, format!("no HTTP is possible: {}", words(&error)));
        if http2 {
            let (sender, connection) = http2::Builder::new(TokioExecutor::new())
                .timer(TokioTimer::new())
                .max_header_list_size(HEAD_BYTES as u32)
                .initial_stream_window_size(WINDOW)
                .initial_connection_window_size(2 * WINDOW)
                .handshake(TokioIo::new(stream))
                .await
                .map_err(fail)?;
            tokio::spawn(connection);
            return Ok(Self::Http2(sender));
        }
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(HEAD_BYTES)
            .max_headers(HEAD_LINES)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(fail)?;
        tokio::spawn(connection);
        Ok(Self::Http1(sender))
    }

    pub(super) fn is_http2(&self) -> bool {
        matches!(self, Self::Http2(_))
    }

    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Http1(sender) => sender.is_closed(),
            Self::Http2(sender) => sender.is_closed(),
        }
    }

    /// Another sender of the same connection, where it carries several requests at once.
    pub(super) fn share(&self) -> Option<Self> {
        match self {
            Self::Http1(_) => None,
            Self::Http2(sender) => Some(Self::Http2(sender.clone())),
        }
    }

    pub(super) async fn send(&mut self, request: Request<Body>) -> Result<Response<Incoming>, Unsent> {
        let ready = match self {
            Self::Http1(sender) => sender.ready().await,
            Self::Http2(sender) => sender.ready().await,
        };
        if let Err(error) = ready {
            return Err(Unsent {
                error,
                request: Some(Box::new(request)),
            });
        }
        let sent = match self {
            Self::Http1(sender) => sender.try_send_request(request).await,
            Self::Http2(sender) => sender.try_send_request(request).await,
        };
        sent.map_err(|mut failed| Unsent {
            request: failed.take_message().map(Box::new),
            error: failed.into_error(),
        })
    }
}

/// An error with its causes, which hold what is worth knowing.
pub(super) fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
