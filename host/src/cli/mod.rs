//! The command line: one file per verb, and what they share.
//! Called by `main` only; it uses the library's public API like any other program.
//! It must not touch: policy, components, the sandbox's insides.

mod approvals;
mod audit;
mod call;
mod check;
mod completions;
mod config;
mod doctor;
mod explain;
mod inspect;
mod logs;
mod options;
mod output;
mod prompt;
mod reload;
mod remarks;
mod serve;
mod signals;
mod tools;
mod trust;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use toolgate::sandbox::{Compiler, compile_worker};

use options::Options;

/// The command ran and failed; the error object is on standard output.
const FAILED: u8 = 1;
/// The command could not start: wrong usage, configuration or environment.
const USAGE: u8 = 2;

const EXAMPLES: &str = r#"Examples:
  toolgate call read_file '{"path": "README.md", "limit": 20}'
  toolgate call --root ~/project grep '{"pattern": "TODO", "path": "src"}'
  echo '{"path": "."}' | toolgate call list_dir -
  toolgate tools
  toolgate serve --root ~/project              # MCP over HTTP
  toolgate serve --root ~/project --stdio      # MCP over stdin and stdout
  toolgate approvals watch                     # answer the questions of running servers
  toolgate inspect read_file                   # what a tool can reach
  toolgate explain bash '{"command": "make"}' # would it pass, and why
  toolgate check                               # the configuration, and where each value came from
  toolgate doctor                              # what protects you here
  toolgate audit show --tail 20                # which calls were made, and how they were decided

Exit status: 0 success; 1 the call failed (error object on standard output);
2 wrong usage or configuration; 130 interrupted."#;

/// Tools for AI agents, each in a sandbox that holds only what its call was approved for.
#[derive(Parser)]
#[command(name = "toolgate", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Call(call::Args),
    Tools(tools::Args),
    Serve(serve::Args),
    Explain(explain::Args),
    Approvals(approvals::Args),
    Inspect(inspect::Args),
    Check(check::Args),
    Trust(trust::Args),
    Config(config::Args),
    Doctor(doctor::Args),
    Audit(audit::Args),
    Completions(completions::Args),
    /// Compile a component from standard input; started by the host for each new plugin
    #[command(name = Compiler::ARGUMENT, hide = true)]
    CompileWorker,
}

/// Runs the command that the process's arguments name.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    logs::init(cli.options.verbose);
    let options = &cli.options;
    let outcome = match (options.print_config, cli.command) {
        (Some(notation), _) => print(options, notation),
        (None, Some(command)) => run(options, command),
        (None, None) => {
            let help = Cli::command().render_help();
            output::remark(&help.ansi().to_string());
            return ExitCode::from(USAGE);
        }
    };
    outcome.unwrap_or_else(|error| {
        // Whoever read our output has seen enough, as `head` does.
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        output::complain(&format!("{error:#}"));
        ExitCode::from(USAGE)
    })
}

fn run(options: &Options, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Call(args) => call::run(options, &args),
        Command::Tools(args) => tools::run(options, &args),
        Command::Serve(args) => serve::run(options, args),
        Command::Explain(args) => explain::run(options, &args),
        Command::Inspect(args) => inspect::run(options, &args),
        Command::Check(args) => check::run(options, &args),
        Command::Trust(args) => trust::run(options, &args),
        Command::Config(args) => config::run(&args),
        Command::Approvals(args) => approvals::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::CompileWorker => compile_worker().map(|()| ExitCode::SUCCESS).map_err(anyhow::Error::msg),
    }
}

fn print(options: &Options, notation: options::Notation) -> anyhow::Result<ExitCode> {
    config::print(&options.effective()?, notation)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
