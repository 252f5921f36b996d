//! What lives here: the tool `record_plan`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the plan of the session that calls it; the host writes the file.

mod describe;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::plans::{self, Outcome};
use toolgate_plugin::{Call, Definition, DefinitionContext, Error, Tool};

/// The longest plan, in bytes, as the host has it: what is longer would not reach the host in one piece.
const PLAN_BYTES: usize = 1 << 20;

/// Arguments of `record_plan`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The plan, in Markdown; not empty, at most 1 MiB.
    pub plan: String,
}

/// Result of `record_plan`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The file that holds the plan.
    pub path: String,
    /// The number of the plan.
    pub sequence: u64,
    /// `recorded`: a new file; `updated`: the file of an earlier draft of the same turn;
    /// `unchanged`: nothing was written.
    pub outcome: &'static str,
    /// What was done, and what it means for other calls.
    pub message: String,
    /// The agent that the plan is recorded for, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session that the plan is recorded for, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// True if the call changed nothing; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_op: Option<bool>,
}

/// The tool `record_plan`.
pub struct RecordPlan;

impl Tool for RecordPlan {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "record_plan",
            describe::description(context.plan_mode(), |tool| context.has(tool)),
        )
    }

    fn call(args: Args, _: &Call) -> Result<Output, Error> {
        let plan = args.plan.trim();
        if plan.len() > PLAN_BYTES {
            return Err(Error::limit(format!(
                "`plan` has {} bytes, more than the {PLAN_BYTES} bytes (1 MiB) that a plan may have; write less",
                plan.len()
            )));
        }
        let recorded = plans::record(plan)?;
        Ok(Output {
            path: recorded.path,
            sequence: recorded.sequence,
            outcome: name(recorded.outcome),
            message: recorded.message,
            agent: recorded.agent,
            session: recorded.session,
            no_op: (recorded.outcome == Outcome::Unchanged).then_some(true),
        })
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Recorded => "recorded",
        Outcome::Updated => "updated",
        Outcome::Unchanged => "unchanged",
    }
}

toolgate_plugin::export!(RecordPlan);
