//! Requests that are opened and never read, by a guest that then ends badly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::bindings::toolgate::plugin::fetch;
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use crate::http::{self, Target};

/// Which interface the requests go through.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Via {
    /// `wasi:http`.
    #[default]
    Http,
    /// `toolgate:plugin/fetch`.
    Fetch,
}

/// What follows.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum End {
    /// A loop that nobody leaves.
    #[default]
    Spin,
    /// An instruction that must not be reached.
    Trap,
    /// An ordinary result, with every handle left open.
    Leave,
}

/// Arguments of `dial_hold`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// The URL, which the host grants.
    pub(crate) url: String,
    /// How many requests.
    pub(crate) count: Option<u32>,
    /// Which interface they go through.
    #[serde(default)]
    pub(crate) via: Via,
    /// Through `wasi:http`: whether to wait for the heads of the responses and open the bodies.
    #[serde(default)]
    pub(crate) head: bool,
    /// What follows.
    #[serde(default)]
    pub(crate) end: End,
}

/// Result of `dial_hold`, where there is one.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Held {
    /// Requests or responses that are open.
    pub(crate) held: u64,
}

/// Ends as told while the handles live.
fn end<T>(held: Vec<T>, end: &End) -> Held {
    match end {
        End::Spin => loop {
            std::hint::black_box(&held);
        },
        End::Trap => {
            std::hint::black_box(&held);
            std::process::abort()
        }
        End::Leave => {
            let count = held.len() as u64;
            std::mem::forget(held);
            Held { held: count }
        }
    }
}

/// The tool `dial_hold`.
pub(crate) struct DialHold;

impl Tool for DialHold {
    type Args = Args;
    type Output = Held;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("dial_hold", "Open requests, never read them, and end badly.")
            .open_world()
            .access(Access::url("url").read())
    }

    fn call(args: Args, _: &Call) -> Result<Held, Error> {
        let count = 0..args.count.unwrap_or(1);
        match args.via {
            Via::Fetch => Ok(end(count.filter_map(|_| fetch::get(0, &[]).ok()).collect(), &args.end)),
            Via::Http => {
                let target = Target::of(&args.url);
                let open: Vec<_> = count.filter_map(|_| http::open(&target)).collect();
                if args.head {
                    Ok(end(open.into_iter().filter_map(http::body).collect(), &args.end))
                } else {
                    Ok(end(open, &args.end))
                }
            }
        }
    }
}
