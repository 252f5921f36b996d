//! Waiting for a response and reading it.

use toolgate_plugin::bindings::wasi::io::streams::StreamError;

use super::args::Args;
use super::bindings::wasi::http::types::{FutureIncomingResponse, IncomingBody, IncomingResponse};
use super::fault::Fault;
use super::outcome::Outcome;
use crate::{Header, shown};

/// Bytes of a body that are read, if the test says nothing else.
const READ: u64 = 1 << 20;

/// Bytes asked for at once.
const STEP: u64 = 64 << 10;

/// Waits for the response and tells of it.
pub(crate) fn receive(response: &FutureIncomingResponse, args: &Args, outcome: &mut Outcome) {
    response.subscribe().block();
    match response.get() {
        Some(Ok(Ok(response))) => describe(&response, args, outcome),
        Some(Ok(Err(code))) => outcome.faults.push(Fault::code("response", &code)),
        Some(Err(())) | None => outcome
            .faults
            .push(Fault::unit("response", "future-incoming-response.get")),
    }
}

fn describe(response: &IncomingResponse, args: &Args, outcome: &mut Outcome) {
    outcome.status = Some(response.status());
    outcome.headers = response.headers().entries().into_iter().map(Header::shown).collect();
    match response.consume() {
        Ok(body) => {
            read(&body, args.read.unwrap_or(READ), outcome);
            if outcome.whole {
                trailers(body, outcome);
            }
        }
        Err(()) => outcome.faults.push(Fault::unit("read", "incoming-response.consume")),
    }
}

fn read(body: &IncomingBody, most: u64, outcome: &mut Outcome) {
    let Ok(stream) = body.stream() else {
        outcome.faults.push(Fault::unit("read", "incoming-body.stream"));
        return;
    };
    while outcome.bytes < most {
        match stream.blocking_read(STEP.min(most - outcome.bytes)) {
            Ok(piece) => {
                if outcome.bytes == 0 {
                    outcome.first = shown(&piece);
                }
                outcome.bytes += piece.len() as u64;
            }
            Err(StreamError::Closed) => {
                outcome.whole = true;
                return;
            }
            Err(error) => {
                outcome.faults.push(Fault::stream("read", &error));
                return;
            }
        }
    }
}

fn trailers(body: IncomingBody, outcome: &mut Outcome) {
    let trailers = IncomingBody::finish(body);
    trailers.subscribe().block();
    match trailers.get() {
        Some(Ok(Ok(Some(fields)))) => {
            outcome.trailers = fields.entries().into_iter().map(Header::shown).collect();
        }
        Some(Ok(Ok(None))) => {}
        Some(Ok(Err(code))) => outcome.faults.push(Fault::code("trailers", &code)),
        Some(Err(())) | None => outcome.faults.push(Fault::unit("trailers", "future-trailers.get")),
    }
}
