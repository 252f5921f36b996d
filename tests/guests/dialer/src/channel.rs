//! Messages through `toolgate:plugin/channels`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::bindings::toolgate::plugin::channels::{self, Failure};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

use crate::fetch::{Failed, ending};
use crate::{Report, snake};

/// Arguments of `dial_channel`.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// A channel that the host grants.
    #[expect(dead_code, reason = "the host resolves it; the message goes to `channel`")]
    pub(crate) granted: Option<String>,
    /// The channel that the message goes to, granted or not.
    pub(crate) channel: String,
    /// The message, which need not be one.
    pub(crate) message: String,
    /// How often it is sent.
    pub(crate) repeat: Option<u32>,
}

/// How one attempt ended.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Outcome {
    /// The status of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duration_ms: Option<u64>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<Failed>,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self {
            kind: snake(&format!("{:?}", failure.kind)),
            message: failure.message,
        }
    }
}

fn send(args: &Args) -> Outcome {
    match channels::send(&args.channel, &args.message) {
        Ok(receipt) => Outcome {
            status: Some(receipt.status),
            duration_ms: Some(receipt.duration_ms),
            failure: None,
        },
        Err(failure) => Outcome {
            failure: Some(failure.into()),
            ..Outcome::default()
        },
    }
}

/// Sends to one channel while another is granted.
pub(crate) struct DialChannel;

impl Tool for DialChannel {
    type Args = Args;
    type Output = Report<Outcome>;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("dial_channel", "Send anything to any channel.")
            .open_world()
            .access(Access::channel("granted").send())
    }

    fn call(args: Args, _: &Call) -> Result<Report<Outcome>, Error> {
        let outcomes = (0..args.repeat.unwrap_or(1)).map(|_| send(&args));
        Ok(Report::new(outcomes, |outcome| {
            ending(outcome.status, outcome.failure.as_ref())
        }))
    }
}
