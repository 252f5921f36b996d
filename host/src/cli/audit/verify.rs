//! `toolgate audit verify`: whether the log is as it was written.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use toolgate::audit::{verify, write_report};

use super::folder;
use crate::cli::{FAILED, output};

const EXAMPLES: &str = "Examples:
  toolgate audit verify
  toolgate audit verify /var/lib/toolgate/audit --json | jq .fault

Exit status: 0 every line is as it was written (what the log itself says it lacks is listed);
1 it was changed or damaged, with the file, the line and what that means;
2 it cannot be read. Hosts may go on writing meanwhile.";

/// Check that no line of the log was changed, taken out, moved or put in
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of the log, or a file in it: one chain goes through all of them, so all are
    /// checked [default: audit in the user's state directory]
    #[arg(value_name = "DIR|FILE")]
    log: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let report = verify(&folder(args.log.as_ref())?)?;
    let mut text = Vec::new();
    write_report(&mut text, &report, args.json)?;
    output::plain(&text)?;
    Ok(if report.is_intact() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    })
}
