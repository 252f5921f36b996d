//! `toolgate audit`: what the log says, and whether it is as it was written.
//! Called by the command line only; one file per verb.
//! It must not touch: the log in a writing way.

mod show;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;
use toolgate::places;

/// Check or show the log of all calls
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Args),
    Show(show::Args),
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Verify(args) => verify::run(args),
        Command::Show(args) => show::run(args),
    }
}

/// The folder of a log: the one given, that of the file given, or the user's own.
fn folder(given: Option<&PathBuf>) -> Result<PathBuf> {
    match given {
        Some(file) if file.is_file() => Ok(file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or_else(|| PathBuf::from("."), PathBuf::from)),
        Some(folder) => Ok(folder.clone()),
        None => places::state()
            .map(|state| places::audit(&state))
            .context("there is no home directory; name the folder of the log"),
    }
}
