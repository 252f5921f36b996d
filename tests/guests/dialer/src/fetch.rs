//! Requests through `toolgate:plugin/fetch`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::bindings::toolgate::plugin::fetch::{self, Failure, Response};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use crate::{Header, Report, shown, snake};

/// Bytes of a body that are read, if the test says nothing else.
const READ: u64 = 1 << 20;

/// Bytes asked for at once, if the test says nothing else.
const STEP: u32 = 64 << 10;

/// Arguments of both tools.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// What the host grants to `dial_fetch`.
    #[expect(dead_code, reason = "the host resolves it; the request goes by number")]
    pub(crate) url: Option<String>,
    /// Further URLs, which the host grants to `dial_fetch` in the same way.
    #[serde(default)]
    #[expect(dead_code, reason = "the host resolves it; the request goes by number")]
    pub(crate) also: Vec<String>,
    /// The number that is requested, granted or not.
    #[serde(default)]
    pub(crate) number: u32,
    /// Any headers.
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
    /// Bytes of the body to read; 1 MiB by default.
    pub(crate) read: Option<u64>,
    /// Bytes to ask for at once; 64 KiB by default.
    pub(crate) step: Option<u32>,
    /// Requests that are open at the same time, before any body is read.
    pub(crate) parallel: Option<u32>,
}

/// How one request ended.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Outcome {
    /// The status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// The URL that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// The headers that the host showed.
    pub(crate) headers: Vec<Header>,
    /// Bytes of the body as the host announced them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) declared_bytes: Option<u64>,
    /// Bytes that were read.
    pub(crate) bytes: u64,
    /// The longest piece that one read returned.
    pub(crate) longest_piece: u64,
    /// The first of them as text.
    pub(crate) first: String,
    /// Whether the body came to its end.
    pub(crate) whole: bool,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<Failed>,
}

/// A failure of the host.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failed {
    /// `denied`, `invalid`, `limit`, `deadline` or `unavailable`.
    pub(crate) kind: String,
    /// What the host says of it.
    pub(crate) message: String,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self {
            kind: snake(&format!("{:?}", failure.kind)),
            message: failure.message,
        }
    }
}

/// The kind of the failure, or the status.
pub(crate) fn ending(status: Option<u16>, failure: Option<&Failed>) -> String {
    match failure {
        Some(failed) => failed.kind.clone(),
        None => status.unwrap_or_default().to_string(),
    }
}

fn run(args: &Args) -> Report<Outcome> {
    let headers: Vec<_> = args
        .headers
        .iter()
        .cloned()
        .map(|header| (header.name, header.value))
        .collect();
    let parallel = args.parallel.unwrap_or(1);
    let open: Vec<_> = (0..parallel).map(|_| fetch::get(args.number, &headers)).collect();
    Report::new(open.into_iter().map(|opened| outcome(opened, args)), |outcome| {
        ending(outcome.status, outcome.failure.as_ref())
    })
}

fn outcome(opened: Result<Response, Failure>, args: &Args) -> Outcome {
    let mut outcome = Outcome::default();
    let read = opened.and_then(|response| {
        outcome.status = Some(response.status());
        outcome.url = Some(response.url());
        outcome.headers = response.headers().into_iter().map(Header::shown).collect();
        outcome.declared_bytes = response.declared_bytes();
        read(&response, args, &mut outcome)
    });
    outcome.failure = read.err().map(Into::into);
    outcome
}

fn read(response: &Response, args: &Args, outcome: &mut Outcome) -> Result<(), Failure> {
    let most = args.read.unwrap_or(READ);
    while outcome.bytes < most {
        let piece = response.read(args.step.unwrap_or(STEP))?;
        if piece.is_empty() {
            outcome.whole = true;
            break;
        }
        if outcome.bytes == 0 {
            outcome.first = shown(&piece);
        }
        outcome.bytes += piece.len() as u64;
        outcome.longest_piece = outcome.longest_piece.max(piece.len() as u64);
    }
    Ok(())
}

/// With a declared access.
pub(crate) struct DialFetch;

impl Tool for DialFetch {
    type Args = Args;
    type Output = Report<Outcome>;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("dial_fetch", "Request any number with any headers; URLs are granted.")
            .open_world()
            .access(Access::url("url").read())
            .access(Access::url("also").read())
    }

    fn call(args: Args, _: &Call) -> Result<Report<Outcome>, Error> {
        Ok(run(&args))
    }
}

/// Without a declared access.
pub(crate) struct DialAny;

impl Tool for DialAny {
    type Args = Args;
    type Output = Report<Outcome>;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("dial_any", "Request any number with any headers; nothing is granted.")
    }

    fn call(args: Args, _: &Call) -> Result<Report<Outcome>, Error> {
        Ok(run(&args))
    }
}
