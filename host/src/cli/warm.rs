//! `toolgate warm`: compiles ahead of the first call.

use std::process::ExitCode;

use anyhow::Result;

use super::options::Options;

const EXAMPLES: &str = "Examples:
  toolgate warm
  toolgate warm --plugin my_tool.wasm";

/// Compile every component into the cache, so that no later call waits for it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

pub(super) fn run(options: &Options, _: &Args) -> Result<ExitCode> {
    options.host()?.warm()?;
    Ok(ExitCode::SUCCESS)
}
