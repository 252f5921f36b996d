//! `toolgate call`: one tool call.

use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use toolgate::config::StoreKind;
use toolgate::prompters::Media;
use toolgate::{Call, CallError, CallResult, ErrorKind, SessionOptions};

use super::options::{Options, host, seconds, session_name};
use super::signals::Signal;
use super::{FAILED, approvals, output, prompt};

/// Longest JSON text taken from standard input, in bytes: the longest content of
/// `write_file` with every character escaped.
const MAX_INPUT: u64 = 64 << 20;

const EXAMPLES: &str = r#"Examples:
  toolgate call read_file '{"path": "README.md"}'
  toolgate call stat '{"path": "src"}' | jq .size
  toolgate call write_file - < arguments.json
  toolgate call --session mine todo '{"action": "add", "text": "read the tests"}'
  toolgate call --deadline 2 grep '{"pattern": "fn main"}'
  toolgate call --approvals write_file '{"path": "a", "content": "b"}'   # then: toolgate approvals

The result object goes to standard output: one line, or indented and coloured on a
terminal. A failed call prints {"error": …, "kind": …} instead and exits with 1."#;

/// Call a tool and print its result object
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tool; `toolgate tools` lists them
    #[arg(value_name = "TOOL")]
    tool: String,

    /// The arguments, a JSON object; `-` reads it from standard input
    #[arg(value_name = "JSON", default_value = "{}", allow_hyphen_values = true)]
    arguments: String,

    /// Continue the session of this name: its to-do list, and the results it keeps
    #[arg(long, value_name = "NAME", value_parser = session_name)]
    session: Option<String>,

    /// Stop the call after this many seconds [default: the configuration's, or 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    deadline: Option<Duration>,

    /// Let a question wait for `toolgate approvals`, besides asking on the terminal
    #[arg(long)]
    approvals: bool,
}

pub(super) fn run(options: &Options, args: &Args) -> Result<ExitCode> {
    let effective = options.effective()?;
    // Once this process is gone, nobody could ask for the whole result unless it can be found again.
    let found_again = args.session.is_some() && effective.config.session.store == StoreKind::Disk;
    let host = host(effective)?;
    let from_stdin = args.arguments == "-";
    let text = if from_stdin {
        read_stdin()?
    } else {
        args.arguments.clone()
    };
    let call = match Call::from_json(&args.tool, &text) {
        Ok(call) => args.deadline.map_or(call.clone(), |deadline| call.deadline(deadline)),
        Err(error) => return report(Err(error)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tracing::debug!(tool = args.tool, "calling");
    let outcome = runtime.block_on(async {
        let signal = Signal::next()?;
        let (broker, _listener) = match args.approvals {
            true => approvals::open(true)?.unzip(),
            false => (None, None),
        };
        let media = Media {
            terminal: prompt::Terminal::prompter(from_stdin),
            socket: broker,
        };
        let session = host.session(SessionOptions {
            prompter: media.prompter(None),
            digest: found_again,
            id: args.session.clone(),
            ..SessionOptions::default()
        });
        Ok::<_, anyhow::Error>(tokio::select! {
            outcome = session.call(call) => Ok(outcome),
            signal = signal => Err(signal),
        })
    })?;
    match outcome {
        Ok(outcome) => report(outcome),
        // The call's future is dropped by now, and with it the guest.
        Err(signal) => {
            report(Err(CallError::new(
                ErrorKind::Cancelled,
                format!("{}: interrupted", args.tool),
            )))?;
            Ok(signal.exit_code())
        }
    }
}

fn report(outcome: Result<CallResult, CallError>) -> Result<ExitCode> {
    Ok(match outcome {
        Ok(result) => {
            output::result(result)?;
            ExitCode::SUCCESS
        }
        Err(error) => {
            output::json(&error.to_json())?;
            ExitCode::from(FAILED)
        }
    })
}

fn read_stdin() -> Result<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        output::notice("reading the arguments from the terminal; end with Ctrl-D");
    }
    let mut text = Vec::new();
    stdin
        .lock()
        .take(MAX_INPUT + 1)
        .read_to_end(&mut text)
        .context("standard input")?;
    if text.len() as u64 > MAX_INPUT {
        bail!("standard input holds more than {MAX_INPUT} bytes of arguments");
    }
    String::from_utf8(text).context("standard input is not UTF-8 text")
}
