//! Requests that got no answer, or none that can be used.

use std::error::Error;
use std::io;

use http::HeaderMap;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};

use super::connection::words;
use super::failure::{Class, Failure};
use super::meter::is_exceeded;
use crate::scope::web::WebUrl;

/// Whether a connection was closed before an answer came. Where a request is on its way when the
/// server closes, the system says so by a reset.
pub(super) fn is_closed(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    let kind = cause.map(io::Error::kind);
    let reset = matches!(
        kind,
        Some(io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe)
    );
    reset || error.is_closed() || error.is_canceled() || error.is_incomplete_message()
}

/// The failure of a request that was not answered.
pub(super) fn refused(url: &WebUrl, error: &hyper::Error, http2: bool) -> Failure {
    let origin = url.origin();
    if error.is_parse_too_large() {
        return Failure::new(
            Class::Limit,
            format!("the answer of {origin} has a head of more than 64 KiB or 256 lines"),
        );
    }
    let words = words(error);
    if is_exceeded(&words) {
        return Failure::new(
            Class::Limit,
            format!("what {origin} sends is no answer: far more bytes came in than a head and a body need"),
        );
    }
    let reason = if error.is_incomplete_message() {
        "it closed the connection before its answer was complete".to_owned()
    } else if error.is_parse() {
        format!("what it sends is no HTTP: {words}")
    } else {
        // Of what this side finds wrong, h2 does not tell a head that is too large from other faults.
        match http2 && words.contains("error detected") {
            true => format!("{words}; a head of more than 64 KiB is one cause of this"),
            false => words,
        }
    };
    Failure::new(Class::Protocol, format!("no answer from {origin}: {reason}"))
}

/// Whether a head says in two ways where its body ends, or in a way that nobody asked for. Whoever
/// stands between may have read it in the other way (RFC 9112, sections 6.1 and 11.2).
pub(super) fn is_ambiguous(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => false,
        (Some(coding), None) => {
            headers.contains_key(CONTENT_LENGTH) || !coding.as_bytes().eq_ignore_ascii_case(b"chunked")
        }
        (Some(_), Some(_)) => true,
    }
}

/// The failure of a request with such an answer.
pub(super) fn ambiguous(url: &WebUrl) -> Failure {
    Failure::new(
        Class::Protocol,
        format!(
            "the answer of {} does not say clearly where it ends: it has Transfer-Encoding and Content-Length, or a \
             Transfer-Encoding other than chunked",
            url.origin()
        ),
    )
}
