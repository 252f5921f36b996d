//! `toolgate audit show`: the records of the log.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use toolgate::audit::{Filter, ShowError, follow, parse_time, show};

use super::folder;

const EXAMPLES: &str = "Examples:
  toolgate audit show --tail 20
  toolgate audit show --denied --since 2h
  toolgate audit show --session plan --since 2026-08-21T09:30Z
  toolgate audit show --json --tool write_file | jq .arguments
  toolgate audit show --follow

This shows what the files hold; `toolgate audit verify` says whether that is what was written.";

/// Show the records of calls, oldest first
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of the log [default: audit in the user's state directory]
    #[arg(value_name = "DIR")]
    log: Option<PathBuf>,

    /// Only calls of this session
    #[arg(long, value_name = "NAME")]
    session: Option<String>,

    /// Only calls of this tool
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,

    /// Only from this time on: 2026-08-21, 2026-08-21T09:30 (UTC), or 30s, 10m, 2h, 7d ago
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<SystemTime>,

    /// Only calls that were refused
    #[arg(long)]
    denied: bool,

    /// Only the last ones, as many
    #[arg(long, value_name = "COUNT")]
    tail: Option<usize>,

    /// Go on with what is written, until interrupted
    #[arg(long)]
    follow: bool,

    /// Print the lines as they stand in the log
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let filter = Filter {
        tail: args.tail,
        session: args.session.clone(),
        tool: args.tool.clone(),
        since: args.since,
        denied: args.denied,
        json: args.json,
    };
    let folder = folder(args.log.as_ref())?;
    let mut out = BufWriter::new(io::stdout().lock());
    let shown = if args.follow {
        follow(&mut out, &folder, &filter, || true)
    } else {
        show(&mut out, &folder, &filter).map(drop)
    };
    shown.and_then(|()| Ok(out.flush()?)).map_err(|error| match error {
        // As itself, so that a reader who has seen enough is recognised.
        ShowError::Output(error) => error.into(),
        ShowError::Audit(error) => anyhow::Error::from(error),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn since(text: &str) -> Result<SystemTime, String> {
    parse_time(text).or_else(|| ago(text)).ok_or_else(|| {
        format!("{text:?} is no time; write 2026-08-21, 2026-08-21T09:30 (UTC), or how long ago: 30s, 10m, 2h, 7d")
    })
}

fn ago(text: &str) -> Option<SystemTime> {
    let unit = match text.chars().last()? {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    let count: u64 = text[..text.len() - 1].parse().ok()?;
    SystemTime::now().checked_sub(Duration::from_secs(count.checked_mul(unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_absolute_or_ago() {
        let hours = since("2h").unwrap().elapsed().unwrap().as_secs();
        assert!((7_200..7_210).contains(&hours), "{hours}");
        assert!(since("2026-08-21").is_ok());
        for wrong in [
            "",
            "h",
            "-1h",
            "2w",
            "soon",
            "99999999999999999999d",
            "18446744073709551615d",
            "é",
        ] {
            assert!(since(wrong).is_err(), "{wrong}");
        }
    }
}
