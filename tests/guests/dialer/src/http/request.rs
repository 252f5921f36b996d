//! Making a request of whatever parts the test gives, sending it, and writing its body.

use super::args::Args;
use super::bindings::wasi::http::outgoing_handler::handle;
use super::bindings::wasi::http::types::{
    Fields, FutureIncomingResponse, Method, OutgoingBody, OutgoingRequest, OutputStream, RequestOptions, Scheme,
};
use super::fault::Fault;
use super::outcome::Outcome;
use super::target::Target;
use crate::{Header, snake};

/// Bytes that `blocking-write-and-flush` takes at most.
/// Source: `wasi:io/streams@0.2`.
const MOST_AT_ONCE: usize = 4096;

/// A request under way.
pub(crate) struct Sent {
    /// Its response to come.
    pub(crate) response: FutureIncomingResponse,
    /// Its body, not yet written.
    pub(crate) body: Option<OutgoingBody>,
}

/// Sends the head of the request; `None` if the host refuses it at once.
pub(crate) fn send(args: &Args, target: &Target, outcome: &mut Outcome) -> Option<Sent> {
    let request = OutgoingRequest::new(fields("header", &args.headers, outcome));
    let mut set = |part: &str, result: Result<(), ()>| {
        if result.is_err() {
            outcome.refused.push(part.to_owned());
        }
    };
    set(
        "method",
        request.set_method(&method(args.method.as_deref().unwrap_or("GET"))),
    );
    if let Some(name) = &target.scheme {
        set("scheme", request.set_scheme(Some(&scheme(name))));
    }
    if target.authority.is_some() {
        set("authority", request.set_authority(target.authority.as_deref()));
    }
    if target.path.is_some() {
        set("path", request.set_path_with_query(target.path.as_deref()));
    }
    let options = options(args, &mut set);
    let body = args.body.as_ref().map(|_| request.body());
    set(
        "body",
        body.as_ref()
            .map_or(Ok(()), |body| body.as_ref().map(drop).map_err(drop)),
    );
    match handle(request, options) {
        Ok(response) => Some(Sent {
            response,
            body: body.and_then(Result::ok),
        }),
        Err(code) => {
            outcome.faults.push(Fault::code("handle", &code));
            None
        }
    }
}

/// Writes the body and finishes it, if the test does not want it otherwise.
pub(crate) fn write(body: OutgoingBody, args: &Args, outcome: &mut Outcome) {
    match body.write() {
        Ok(stream) => pour(stream, args, outcome),
        Err(()) => outcome.faults.push(Fault::unit("write", "outgoing-body.write")),
    }
    if args.unfinished {
        return;
    }
    let trailers = (!args.trailers.is_empty()).then(|| fields("trailer", &args.trailers, outcome));
    if let Err(code) = OutgoingBody::finish(body, trailers) {
        outcome.faults.push(Fault::code("finish", &code));
    }
}

/// Takes the stream, as it has to be gone before the body is finished.
fn pour(stream: OutputStream, args: &Args, outcome: &mut Outcome) {
    let text = args.body.as_deref().unwrap_or_default().as_bytes();
    let mut left = (text.len() as u64).saturating_mul(args.body_repeat.unwrap_or(1));
    // Short bodies that are repeated often go out in blocks.
    let block = text.repeat((MOST_AT_ONCE / text.len().max(1)).max(1));
    for piece in block.chunks(MOST_AT_ONCE).cycle() {
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
        if length == 0 {
            return;
        }
        if let Err(error) = stream.blocking_write_and_flush(&piece[..length]) {
            outcome.faults.push(Fault::stream("write", &error));
            return;
        }
        left -= length as u64;
        outcome.sent += length as u64;
    }
}

/// Whatever of the headers can be set.
fn fields(kind: &str, headers: &[Header], outcome: &mut Outcome) -> Fields {
    let fields = Fields::new();
    for header in headers {
        if let Err(error) = fields.append(&header.name, header.value.as_bytes()) {
            let error = snake(&format!("{error:?}"));
            outcome.refused.push(format!("{kind} {:?}: {error}", header.name));
        }
    }
    fields
}

fn options(args: &Args, set: &mut impl FnMut(&str, Result<(), ()>)) -> Option<RequestOptions> {
    let nanoseconds = |milliseconds: Option<u64>| milliseconds.map(|number| number.saturating_mul(1_000_000));
    let connect = nanoseconds(args.connect_timeout_ms);
    let first = nanoseconds(args.first_byte_timeout_ms);
    let between = nanoseconds(args.between_bytes_timeout_ms);
    if connect.or(first).or(between).is_none() {
        return None;
    }
    let options = RequestOptions::new();
    set("connect_timeout", options.set_connect_timeout(connect));
    set("first_byte_timeout", options.set_first_byte_timeout(first));
    set("between_bytes_timeout", options.set_between_bytes_timeout(between));
    Some(options)
}

fn method(name: &str) -> Method {
    match name {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "CONNECT" => Method::Connect,
        "OPTIONS" => Method::Options,
        "TRACE" => Method::Trace,
        "PATCH" => Method::Patch,
        other => Method::Other(other.to_owned()),
    }
}

fn scheme(name: &str) -> Scheme {
    match name {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        other => Scheme::Other(other.to_owned()),
    }
}
