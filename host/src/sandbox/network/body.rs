//! Reading the body of a response: decoded, and never more than it may be.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder};
use bytes::{Buf, Bytes};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http_body::Body;
use hyper::body::Incoming;
use tokio::io::{AsyncBufRead, AsyncRead, AsyncReadExt, ReadBuf};
use tokio::runtime::Handle;

use super::connection::words;
use super::egress::Deadline;
use super::failure::{Class, Failure};
use super::meter::is_exceeded;
use super::pool::{Connections, Open};

/// Encodings that are asked for.
pub(super) const ENCODINGS: &str = "gzip, br, deflate";
/// Decoded bytes for each byte that came in, at most; HTML seldom shrinks to a tenth.
const RATIO: u64 = 100;
/// Decoded bytes below which nobody asks for the ratio.
const RATIO_FROM: u64 = 256 << 10;
/// Bytes that may come in beyond those that are read once they are decoded: what an encoding adds to
/// a body that it cannot make shorter.
const OVERHEAD: u64 = 1 << 20;
/// Bytes that are decoded at a time.
const PIECE: usize = 64 << 10;

/// A body that is read piece by piece.
pub(super) struct Reader {
    source: Source,
    decoded: u64,
    /// Decoded bytes at most.
    most: u64,
    deadline: Deadline,
    lease: Option<Lease>,
    /// What messages call it.
    shown: String,
    declared: Option<u64>,
}

/// The connection that the body comes over; kept for the next request if the body is read to its end.
pub(super) struct Lease {
    pub(super) connections: std::sync::Arc<Connections>,
    pub(super) open: Open,
    pub(super) runtime: Handle,
}

impl Lease {
    /// Keeps the connection for the next request.
    pub(super) fn give_back(self) {
        self.connections.keep(self.open, &self.runtime);
    }
}

enum Source {
    Plain(Raw),
    Gzip(Box<GzipDecoder<Raw>>),
    Zlib(Box<ZlibDecoder<Raw>>),
    Brotli(Box<BrotliDecoder<Raw>>),
}

impl Reader {
    /// Reads at most `most` decoded bytes, until the deadline.
    ///
    /// # Errors
    /// The body has an encoding that was not asked for.
    pub(super) fn new(
        headers: &HeaderMap,
        incoming: Incoming,
        most: u64,
        deadline: Deadline,
        lease: Lease,
        shown: String,
    ) -> Result<Self, Failure> {
        let raw = Raw::new(incoming, most.saturating_add(OVERHEAD));
        let encodings = encodings(headers);
        let mut declared = None;
        let source = match encodings.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => {
                declared = length(headers);
                Source::Plain(raw)
            }
            ["gzip" | "x-gzip"] => {
                let mut decoder = GzipDecoder::new(raw);
                decoder.multiple_members(true);
                Source::Gzip(Box::new(decoder))
            }
            ["deflate"] => Source::Zlib(Box::new(ZlibDecoder::new(raw))),
            ["br"] => Source::Brotli(Box::new(BrotliDecoder::new(raw))),
            _ => {
                return Err(Failure::new(
                    Class::Protocol,
                    format!(
                        "{shown} answers in the encoding {:?}; this host asks for one of {ENCODINGS}",
                        encodings.join(", ")
                    ),
                ));
            }
        };
        Ok(Self {
            source,
            decoded: 0,
            most,
            deadline,
            lease: Some(lease),
            shown,
            declared,
        })
    }

    /// Bytes of the body, where the other side said so and did not encode it.
    pub(super) fn declared(&self) -> Option<u64> {
        self.declared
    }

    /// The next bytes, at most `most` of them; none at the end.
    ///
    /// # Errors
    /// The body is too large, shrinks too well, ends too early, or time is over.
    pub(super) async fn read(&mut self, most: usize) -> Result<Bytes, Failure> {
        let deadline = self.deadline;
        let what = format!("reading the body of {}", self.shown);
        let read = deadline.hold(&what, self.source.next(most)).await?;
        let bytes = match read {
            // Answers that may have no body, and empty ones, often name an encoding all the same.
            Err(_) if self.source.raw().is_empty() => Bytes::new(),
            read => read.map_err(|error| self.broken(&error))?,
        };
        self.decoded += bytes.len() as u64;
        let came = self.source.raw().read;
        if self.decoded > self.most {
            return Err(Failure::new(
                Class::Limit,
                format!(
                    "the body of {} is larger than the {} bytes that are read of one",
                    self.shown, self.most
                ),
            ));
        }
        if self.decoded > RATIO_FROM && self.decoded / RATIO > came {
            return Err(Failure::new(
                Class::Limit,
                format!(
                    "the body of {} unpacks to more than {RATIO} times the {came} bytes that came in; that is no page",
                    self.shown
                ),
            ));
        }
        if bytes.is_empty()
            && self.source.raw().ended
            && let Some(lease) = self.lease.take()
        {
            lease.give_back();
        }
        Ok(bytes)
    }

    fn broken(&self, error: &io::Error) -> Failure {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<hyper::Error>());
        if inner.is_some_and(|inner| is_exceeded(&words(inner))) {
            return Failure::new(
                Class::Limit,
                format!(
                    "the body of {} is no page: far more came in over the connection than the {} bytes of it",
                    self.shown,
                    self.source.raw().read
                ),
            );
        }
        if self.source.raw().exceeded {
            return Failure::new(
                Class::Limit,
                format!(
                    "the body of {} is no page: {} bytes came in, and unpack to {}",
                    self.shown,
                    self.source.raw().read,
                    self.decoded
                ),
            );
        }
        let reason = match (inner, self.declared) {
            (Some(error), Some(declared)) if error.is_incomplete_message() || is_early(error) => format!(
                "it ended after {} of the {declared} bytes that were declared",
                self.source.raw().read
            ),
            (Some(error), _) => words(error),
            (None, _) => format!("it cannot be unpacked: {error}"),
        };
        Failure::new(
            Class::Protocol,
            format!("the body of {} cannot be read: {reason}", self.shown),
        )
    }
}

/// Whether the connection ended within a body; hyper says so in a cause.
fn is_early(error: &hyper::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<io::Error>()
            && io.kind() == io::ErrorKind::UnexpectedEof
        {
            return true;
        }
        cause = inner.source();
    }
    false
}

/// The encodings of a body, in the order in which they were applied.
fn encodings(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let texts: Vec<String> = values
        .map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase())
        .collect();
    let names = texts.iter().flat_map(|text| text.split(',')).map(str::trim);
    names
        .filter(|name| !name.is_empty() && *name != "identity")
        .map(str::to_owned)
        .collect()
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

impl Source {
    fn raw(&self) -> &Raw {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(decoder) => decoder.get_ref(),
            Self::Zlib(decoder) => decoder.get_ref(),
            Self::Brotli(decoder) => decoder.get_ref(),
        }
    }

    fn raw_mut(&mut self) -> &mut Raw {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
            Self::Brotli(decoder) => decoder.get_mut(),
        }
    }

    /// The next bytes. Where an encoding ends before the body does, the rest is looked at too: only
    /// a connection whose body came to its end can be used again.
    async fn next(&mut self, most: usize) -> io::Result<Bytes> {
        let bytes = match self {
            Self::Plain(raw) => raw.next(most).await,
            Self::Gzip(decoder) => piece(decoder, most).await,
            Self::Zlib(decoder) => piece(decoder, most).await,
            Self::Brotli(decoder) => piece(decoder, most).await,
        }?;
        if bytes.is_empty() && most > 0 {
            self.raw_mut().next(0).await?;
        }
        Ok(bytes)
    }
}

/// Some decoded bytes.
async fn piece(decoder: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Bytes> {
    let mut piece = Vec::with_capacity(most.min(PIECE));
    if most > 0 {
        decoder.read_buf(&mut piece).await?;
    }
    Ok(piece.into())
}

/// The body as it comes in.
struct Raw {
    incoming: Incoming,
    chunk: Bytes,
    /// Bytes that came in so far.
    read: u64,
    /// Bytes that may come in.
    most: u64,
    /// Whether more came in.
    exceeded: bool,
    ended: bool,
}

impl Raw {
    fn new(incoming: Incoming, most: u64) -> Self {
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
    fn is_empty(&self) -> bool {
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

    async fn next(&mut self, most: usize) -> io::Result<Bytes> {
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
