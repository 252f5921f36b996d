//! `toolgate doctor`: what protects calls on this machine, and what is missing.
//! Called by the command line only; each file answers for one part of the system.
//! It must not touch: anything in a writing way, except a probe file in the cache.

mod kernel;
mod network;
mod storage;
mod toolchain;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};

use super::{FAILED, output};

const EXAMPLES: &str = "Examples:
  toolgate doctor
  toolgate doctor --json | jq '.checks[] | select(.status != \"ok\")'

Exit status 1 if something that Toolgate cannot do without is missing.";

/// Report what protects calls on this machine, and what is weaker without it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Present.
    Ok,
    /// Absent or weak; Toolgate works without it.
    Weaker,
    /// Absent, and Toolgate cannot do without it.
    Failed,
}

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Weaker => "weaker",
            Self::Failed => "failed",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Ok => AnsiColor::Green,
            Self::Weaker => AnsiColor::Yellow,
            Self::Failed => AnsiColor::Red,
        }
        .on_default()
    }
}

/// One finding.
struct Check {
    name: &'static str,
    status: Status,
    /// What was found.
    found: String,
    /// What is weaker or impossible without it, and what would help.
    without: &'static str,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let checks: Vec<Check> = kernel::checks()
        .into_iter()
        .chain(storage::checks())
        .chain(network::checks())
        .chain(toolchain::checks())
        .collect();
    let failed = checks.iter().any(|check| check.status == Status::Failed);
    if args.json {
        output::json(&json!({
            "version": env!("CARGO_PKG_VERSION"),
            "ok": !failed,
            "checks": checks.iter().map(to_json).collect::<Vec<_>>(),
        }))?;
    } else {
        output::text(&report(&checks))?;
    }
    Ok(if failed {
        ExitCode::from(FAILED)
    } else {
        ExitCode::SUCCESS
    })
}

fn to_json(check: &Check) -> Value {
    json!({
        "name": check.name,
        "status": check.status.as_str(),
        "found": check.found,
        "without": check.without,
    })
}

fn report(checks: &[Check]) -> String {
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let style = check.status.style();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{style}{:6}{style:#}  {:width$}  {}",
            check.status.as_str(),
            check.name,
            check.found
        );
        if check.status != Status::Ok {
            let _ = writeln!(text, "{:8}{:width$}  {}", "", "", check.without);
        }
    }
    text
}
