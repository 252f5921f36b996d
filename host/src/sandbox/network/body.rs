//! Reading the body of a response: decoded, and never more than it may be.

use std::io;

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use hyper::body::Incoming;
use tokio::runtime::Handle;

use super::connection::words;
use super::deadline::Deadline;
use super::decoder::{ENCODINGS, Source};
use super::failure::{Class, Failure};
use super::meter::is_exceeded;
use super::pool::{Connections, Open};
use super::raw::Raw;

/// Decoded bytes for each byte that came in, at most; HTML seldom shrinks to a tenth.
const RATIO: u64 = 100;
/// Decoded bytes below which nobody asks for the ratio.
const RATIO_FROM: u64 = 256 << 10;
/// Bytes that may come in beyond those that are read once they are decoded: what an encoding adds to
/// a body that it cannot make shorter.
const OVERHEAD: u64 = 1 << 20;

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
        let source = Source::new(raw, headers).map_err(|encodings| {
            Failure::new(
                Class::Protocol,
                format!("{shown} answers in the encoding {encodings:?}; this host asks for one of {ENCODINGS}"),
            )
        })?;
        let declared = match source {
            Source::Plain(_) => length(headers),
            _ => None,
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

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}
