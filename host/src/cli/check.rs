//! `toolgate check`: the configuration in force, and everything that is wrong with it.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};
use toolgate::config::{ConfigErrors, Effective, Layers, Problem, review};
use toolgate::mcp::visible::escape;

use super::options::{Options, host};
use super::{USAGE, output};

const EXAMPLES: &str = "Examples:
  toolgate check                              # the configuration of this project
  toolgate check --config new.toml            # before it is put in place
  toolgate check --json | jq '.values[] | select(.origin.default | not)'

Exit status: 0 if it can be used, remarks or not; 2 if it cannot, with all problems at once.";

/// Check the configuration and show each value with where it came from
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, args: &Args) -> Result<ExitCode> {
    match checked(options) {
        Ok(effective) => {
            if args.json {
                let mut report = toolgate::config::json(&effective);
                report["ok"] = json!(true);
                output::json(&report)?;
            } else {
                output::text(&escape_lines(&toolgate::config::text(&effective)))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(problems) => {
            if args.json {
                let problems: Vec<Value> = problems.iter().map(Problem::to_json).collect();
                output::json(&json!({"ok": false, "problems": problems}))?;
            } else {
                for problem in &problems {
                    output::complain(&escape(&problem.to_string()));
                }
            }
            Ok(ExitCode::from(USAGE))
        }
    }
}

/// The configuration with all remarks, or all problems.
fn checked(options: &Options) -> Result<Effective, Vec<Problem>> {
    let mut layers = options.layers();
    let all = |errors: ConfigErrors| errors.problems().to_vec();
    // Names of tools are looked at once all are known: by a host that leaves none out.
    let mut unnamed = layers.clone();
    unnamed.flags.enable_tools.clear();
    let mut whole = Layers::discover(&unnamed).map_err(all)?;
    whole.config.tools.disable.clear();
    let built = host(whole);
    layers.tools = built.as_ref().ok().map(toolgate::Host::tool_names);
    let mut problems: Vec<Problem> = built.err().iter().map(Problem::general).collect();
    match Layers::discover(&layers) {
        Ok(mut effective) if problems.is_empty() => {
            let tools = layers.tools.unwrap_or_default();
            let found = review(&effective, &tools);
            effective.remarks.extend(found);
            Ok(effective)
        }
        Ok(_) => Err(problems),
        Err(errors) => {
            problems.extend(all(errors));
            Err(problems)
        }
    }
}

/// Values come from files that others may have written.
fn escape_lines(text: &str) -> String {
    text.lines()
        .fold(String::new(), |shown, line| shown + &escape(line) + "\n")
}
