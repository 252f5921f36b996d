//! `toolgate trust`: which project files may do more than take away.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::builder::styling::Style;
use toolgate::config::{DiscoverOptions, Layers, LoadedFile, Role, TrustStore};
use toolgate::mcp::visible::escape;
use toolgate::places;

use super::options::Options;
use super::{FAILED, output};

const STRONG: Style = Style::new().bold();

const EXAMPLES: &str = "Examples:
  toolgate trust                       # the files of the project here: shows what they want, asks
  toolgate trust ~/project --yes
  toolgate trust --list
  toolgate trust --remove ~/project

Trust is in the bytes: an edit ends it. A file that is not trusted may only take rights away.";

/// Trust the configuration files of a project
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The project directory, or one of its files [default: the project here]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,

    /// Show what is trusted
    #[arg(long, conflicts_with_all = ["remove", "yes", "path"])]
    list: bool,

    /// End the trust
    #[arg(long, conflicts_with = "yes")]
    remove: bool,

    /// Trust without asking
    #[arg(short, long)]
    yes: bool,
}

pub(super) fn run(options: &Options, args: &Args) -> Result<ExitCode> {
    let mut store = TrustStore::open(places::state().as_deref());
    if let Some(remark) = store.remark() {
        bail!("{}", escape(&remark.to_string()));
    }
    if args.list {
        return list(&store);
    }
    if args.remove
        && let Some(file) = args.path.as_ref().filter(|path| !path.is_dir())
    {
        // It need not exist any more.
        return removed(file, store.revoke(file)?);
    }
    let layers = around(options, args.path.as_deref());
    let effective = Layers::discover(&layers)?;
    let files = effective.files.iter().filter(|file| file.role == Role::Project);
    let wanted = args.path.as_ref().filter(|path| !path.is_dir());
    let wanted = wanted.map(|file| file.canonicalize().unwrap_or_else(|_| file.clone()));
    let files: Vec<&LoadedFile> = files
        .filter(|file| wanted.as_ref().is_none_or(|wanted| *wanted == file.path))
        .collect();
    if files.is_empty() {
        bail!(
            "{} has no configuration of its own: no .agents/config.json and no .agents/toolgate.toml, here or above",
            args.path.as_deref().unwrap_or(&layers.root).display()
        );
    }
    let mut all_trusted = true;
    for file in files {
        if args.remove {
            removed(&file.path, store.revoke(&file.path)?)?;
        } else {
            all_trusted &= settle(&mut store, file, args.yes)?;
        }
    }
    Ok(if all_trusted {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    })
}

/// The layers around a path, without named files: those count in full already.
fn around(options: &Options, path: Option<&Path>) -> DiscoverOptions {
    let mut layers = options.layers();
    layers.config.clear();
    if let Some(path) = path {
        let directory = if path.is_dir() { Some(path) } else { path.parent() };
        layers.root = match directory {
            Some(directory) if !directory.as_os_str().is_empty() => directory.to_owned(),
            _ => PathBuf::from("."),
        };
        layers.seek_root = true;
    }
    layers
}

/// Whether the file is trusted afterwards, or needs no trust.
fn settle(store: &mut TrustStore, file: &LoadedFile, yes: bool) -> Result<bool> {
    let name = escape(&file.path.display().to_string());
    if file.trusted {
        output::text(&format!("{name} is trusted\n"))?;
        return Ok(true);
    }
    if file.wanted.is_empty() {
        output::text(&format!("{name} wants nothing that takes trust\n"))?;
        return Ok(true);
    }
    let mut text = format!("{STRONG}{name}{STRONG:#} wants\n");
    for row in &file.wanted {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} = {}", escape(&row.key), escape(&row.value.to_string()));
    }
    output::text(&text)?;
    if !yes && !is_confirmed()? {
        output::text(&format!("{name} is not trusted\n"))?;
        return Ok(false);
    }
    store.trust(&file.path, file.digest)?;
    output::text(&format!("{name} is trusted as it is now\n"))?;
    Ok(true)
}

fn is_confirmed() -> Result<bool> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        bail!("there is no terminal to ask on; --yes trusts without asking");
    }
    output::remark(&format!("{STRONG}Trust it? [y/N]{STRONG:#} "));
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).context("standard input")?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn removed(file: &Path, was_trusted: bool) -> Result<ExitCode> {
    let name = escape(&file.display().to_string());
    let standing = if was_trusted {
        "is not trusted any more"
    } else {
        "was not trusted"
    };
    output::text(&format!("{name} {standing}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn list(store: &TrustStore) -> Result<ExitCode> {
    let mut text = String::new();
    for entry in store.entries() {
        let name = escape(&entry.path.display().to_string());
        let _ = writeln!(
            text,
            "{name}  {}{}",
            entry.digest,
            if store.holds(entry) {
                ""
            } else {
                "  (has changed since)"
            }
        );
    }
    if text.is_empty() {
        text.push_str("no project file is trusted\n");
    }
    output::text(&text)?;
    Ok(ExitCode::SUCCESS)
}
