//! `toolgate approvals`: the questions of running servers, and their answers.

mod list;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;
use toolgate::approvals::{Alone, Broker, ClientError, Listener, Operator, RefusalCode};
use toolgate::{CallError, Decision, ErrorKind, places};

use super::prompt::parse_decision;
use super::{FAILED, output};

const EXAMPLES: &str = "Examples:
  toolgate approvals                             # what waits, of all running servers
  toolgate approvals answer 0f3c…e1 y            # this once; also s, v, t, a, d or n
  toolgate approvals answer 0f3c…e1 allow-session
  toolgate approvals watch                       # asks here, until Ctrl-C

While `watch` runs, calls that nobody else can be asked for wait for it.
Programs can read the sockets themselves: docs/approvals.md.";

/// List, answer or watch the questions of running servers
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,

    /// Print one JSON object per question, also on a terminal
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Answer a question
    Answer {
        /// The question's id
        #[arg(value_name = "ID")]
        id: String,

        /// y once, s session, v verb, t tool, a always, d directory, n deny; or allow-once, …
        #[arg(value_name = "DECISION", value_parser = parse_decision)]
        decision: Decision,
    },
    /// Ask for each question on this terminal, until Ctrl-C
    Watch,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let operator = Operator::new(&state()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match &args.verb {
            None => list::run(&operator, args.json).await,
            Some(Verb::Watch) => watch::run(&operator).await,
            Some(Verb::Answer { id, decision }) => answer(&operator, id, *decision).await,
        }
    })
}

async fn answer(operator: &Operator, id: &str, decision: Decision) -> Result<ExitCode> {
    match operator.answer(id, decision).await {
        Ok(acknowledged) => {
            output::json(&serde_json::to_value(acknowledged)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            output::json(&CallError::new(kind(&error), error.to_string()).to_json())?;
            Ok(ExitCode::from(FAILED))
        }
    }
}

fn kind(error: &ClientError) -> ErrorKind {
    match error {
        ClientError::Refused(refusal) => match refusal.code {
            RefusalCode::UnknownId | RefusalCode::Answered | RefusalCode::Withdrawn => ErrorKind::NotFound,
            RefusalCode::Forbidden | RefusalCode::ApproverMismatch => ErrorKind::Denied,
            RefusalCode::Busy => ErrorKind::Limit,
            RefusalCode::BadRequest | RefusalCode::TooLong | RefusalCode::UnknownDecision | RefusalCode::NotOffered => {
                ErrorKind::InvalidArguments
            }
        },
        ClientError::Directory { .. } | ClientError::Server { .. } => ErrorKind::Unavailable,
    }
}

fn state() -> Result<PathBuf> {
    places::state().context("there is no state directory; set HOME or XDG_STATE_HOME to an absolute path")
}

/// Opens the approval socket of this process, in the current runtime.
///
/// # Errors
/// When it cannot be opened and the operator asked for it; without that,
/// calls are served without.
pub(super) fn open(asked_for: bool) -> Result<Option<(Broker, Listener)>> {
    let alone = if asked_for { Alone::Waits } else { Alone::WhileWatched };
    let broker = Broker::new(alone);
    let listener = state().and_then(|state| Ok(broker.listen(&state)?));
    match listener {
        Ok(listener) => Ok(Some((broker, listener))),
        Err(error) if asked_for => Err(error.context("--approvals")),
        Err(error) => {
            output::notice(&format!("nobody can answer with `toolgate approvals`: {error:#}"));
            Ok(None)
        }
    }
}
