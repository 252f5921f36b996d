//! `toolgate config`: what there is to configure.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use toolgate::config::{Effective, configuration, schema};

use super::options::Notation;
use super::output;

const EXAMPLES: &str = "Examples:
  toolgate config schema > toolgate.schema.json     # for an editor, or a validator";

/// Show what can be configured
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Print the JSON Schema of configuration files
    Schema,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    match args.what {
        What::Schema => output::plain(format!("{:#}\n", schema()).as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// `--print-config`: the configuration in force as a file that would say the same, without secrets.
pub(super) fn print(effective: &Effective, notation: Notation) -> Result<ExitCode> {
    let config = configuration(effective);
    let text = match notation {
        Notation::Json => format!("{config:#}\n"),
        Notation::Toml => toml::to_string(&config)?,
    };
    output::plain(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
