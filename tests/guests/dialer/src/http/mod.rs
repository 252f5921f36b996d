//! Requests through `wasi:http`.

mod args;
mod fault;
mod outcome;
mod request;
mod response;
mod target;

use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use crate::Report;
use args::Args;
use bindings::wasi::http::types::{FutureIncomingResponse, IncomingBody, InputStream};
use outcome::Outcome;

pub(crate) use target::Target;

/// The types of `wasi:io` are those of the SDK, as a component imports an interface once.
#[allow(missing_docs, unsafe_code, unreachable_pub, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package toolgate:dialer; world http { import wasi:http/outgoing-handler@0.2.12; }",
        world: "toolgate:dialer/http",
        with: {
            "wasi:io/error@0.2.12": toolgate_plugin::bindings::wasi::io::error,
            "wasi:io/poll@0.2.12": toolgate_plugin::bindings::wasi::io::poll,
            "wasi:io/streams@0.2.12": toolgate_plugin::bindings::wasi::io::streams,
        },
        generate_all,
    });
}

/// Opens all requests first, then writes all bodies, then reads all responses.
fn run(args: &Args) -> Report<Outcome> {
    let target = Target::of_args(args);
    let mut open: Vec<_> = (0..args.parallel.unwrap_or(1))
        .map(|_| {
            let mut outcome = Outcome::default();
            let sent = request::send(args, &target, &mut outcome);
            (outcome, sent)
        })
        .collect();
    for (outcome, sent) in &mut open {
        if let Some(body) = sent.as_mut().and_then(|sent| sent.body.take()) {
            request::write(body, args, outcome);
        }
    }
    let outcomes = open.into_iter().map(|(mut outcome, sent)| {
        if let Some(sent) = sent {
            response::receive(&sent.response, args, &mut outcome);
            follow(args, &target, &mut outcome);
        }
        outcome
    });
    Report::new(outcomes, Outcome::ending)
}

/// Follows redirects as often as told.
fn follow(args: &Args, from: &Target, outcome: &mut Outcome) {
    let mut at = from.clone();
    for _ in 0..args.follow.unwrap_or(0) {
        let Some(location) = outcome.location() else { return };
        at = at.join(&location);
        let mut next = Outcome {
            hops: std::mem::take(&mut outcome.hops),
            ..Outcome::default()
        };
        next.hops.push(location);
        if let Some(mut sent) = request::send(args, &at, &mut next) {
            if let Some(body) = sent.body.take() {
                request::write(body, args, &mut next);
            }
            response::receive(&sent.response, args, &mut next);
        }
        *outcome = next;
    }
}

/// A plain request, sent and not waited for; `None` if the host refuses it.
pub(crate) fn open(target: &Target) -> Option<FutureIncomingResponse> {
    let sent = request::send(&Args::default(), target, &mut Outcome::default())?;
    Some(sent.response)
}

/// The body of a response, opened and unread; `None` if there is no response.
pub(crate) fn body(response: FutureIncomingResponse) -> Option<(InputStream, IncomingBody)> {
    response.subscribe().block();
    let body = response.get()?.ok()?.ok()?.consume().ok()?;
    Some((body.stream().ok()?, body))
}

/// Without a declared access.
pub(crate) struct DialHttp;

impl Tool for DialHttp {
    type Args = Args;
    type Output = Report<Outcome>;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("dial_http", "Send any request through wasi:http; nothing is granted.")
    }

    fn call(args: Args, _: &Call) -> Result<Report<Outcome>, Error> {
        Ok(run(&args))
    }
}

/// With a declared access.
pub(crate) struct DialHttpUrl;

impl Tool for DialHttpUrl {
    type Args = Args;
    type Output = Report<Outcome>;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("dial_http_url", "Send any request through wasi:http; a URL is granted.")
            .open_world()
            .access(Access::url("url").read())
    }

    fn call(args: Args, _: &Call) -> Result<Report<Outcome>, Error> {
        Ok(run(&args))
    }
}
