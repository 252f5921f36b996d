//! `toolgate completions`: completion scripts for shells.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use super::output;

const EXAMPLES: &str = "Examples:
  toolgate completions bash > ~/.local/share/bash-completion/completions/toolgate
  toolgate completions fish > ~/.config/fish/completions/toolgate.fish";

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "toolgate", &mut script);
    output::plain(&script)?;
    Ok(ExitCode::SUCCESS)
}
