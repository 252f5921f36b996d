//! Options that every verb takes, and the host they describe.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, ValueEnum};
use toolgate::config::{AllowPath, DiscoverOptions, Flags, Layers, parse_allow_path};
use toolgate::config::{ConfigErrors, Effective};
use toolgate::sandbox::Compiler;
use toolgate::session::store::limits::NAME_BYTES;
use toolgate::{Host, Mode};

use super::remarks;

/// Longest accepted deadline, in seconds: one day, as in the configuration.
const MAX_DEADLINE: f64 = 86_400.0;

const PERMISSIONS: &str = "Permissions";
const TOOLS: &str = "Tools";

/// How a configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Notation {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

#[derive(Args)]
pub(super) struct Options {
    /// The project directory: what the tools see, and where relative paths start [default: the
    /// directory above that holds .agents, or the working directory]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,

    /// A configuration file, .toml or .json; repeatable, later ones win [default: toolgate/config.toml
    /// in the user's configuration directory, and the project's own files in .agents]
    #[arg(short, long, global = true, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// Print the configuration in force as toml or json, and do nothing else
    #[arg(long, global = true, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "toml")]
    pub(super) print_config: Option<Notation>,

    /// What happens to calls that no rule decides [default: ask, or the configuration's]
    #[arg(long, global = true, value_name = "MODE", value_parser = modes(), help_heading = PERMISSIONS)]
    mode: Option<Mode>,

    /// The mode yolo, and nobody is asked, even for files that grant rights: such calls are refused
    #[arg(long, global = true, conflicts_with = "mode", help_heading = PERMISSIONS)]
    yolo: bool,

    /// A rule that lets calls pass without asking, such as write_file:src/**; repeatable
    #[arg(long, global = true, value_name = "PATTERN", help_heading = PERMISSIONS)]
    allow: Vec<String>,

    /// A rule that refuses calls in every mode; repeatable
    #[arg(long, global = true, value_name = "PATTERN", help_heading = PERMISSIONS)]
    deny: Vec<String>,

    /// A path outside the root to admit, with access r, w or rw: /srv/data:r; repeatable
    #[arg(long, global = true, value_name = "PATH:ACCESS", value_parser = parse_allow_path, help_heading = PERMISSIONS)]
    allow_path: Vec<AllowPath>,

    /// Hosts that tools may reach, separated by commas; repeatable
    #[arg(long, global = true, value_name = "HOSTS", value_parser = list, help_heading = PERMISSIONS)]
    allow_url_host: Vec<String>,

    /// Whether a plan is asked for, or required before anything is changed: off, advisory, required
    #[arg(long, global = true, value_name = "MODE", help_heading = PERMISSIONS)]
    plan_mode: Option<String>,

    /// The same as --plan-mode required, or off with =false; --plan-mode wins
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", help_heading = PERMISSIONS)]
    plan_first: Option<bool>,

    /// What happens to shell commands that search: enforce, warn, allow
    #[arg(long, global = true, value_name = "POSTURE", help_heading = PERMISSIONS)]
    bash_search_gate: Option<String>,

    /// A component to load besides the built-in tools; repeatable
    #[arg(long, global = true, value_name = "FILE", help_heading = TOOLS)]
    plugin: Vec<PathBuf>,

    /// Leave these tools out, by name, separated by commas; repeatable
    #[arg(long, global = true, value_name = "NAMES", value_parser = list, help_heading = TOOLS)]
    disable_tools: Vec<String>,

    /// Tools that must be there, separated by commas; one that is disabled is an error; repeatable
    #[arg(long, global = true, value_name = "NAMES", value_parser = list, help_heading = TOOLS)]
    enable_tools: Vec<String>,

    /// Leave all built-in tools out
    #[arg(long, global = true, help_heading = TOOLS)]
    no_builtin_tools: bool,

    /// Return large results of survey tools as they are, not as digests
    #[arg(long, global = true, alias = "no-mcp-digest", help_heading = TOOLS)]
    no_digest: bool,

    /// Log more to standard error; repeat for details (TOOLGATE_LOG takes a filter)
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(super) verbose: u8,
}

impl Options {
    /// Where the layers of the configuration are, and what the flags say.
    pub(super) fn layers(&self) -> DiscoverOptions {
        let places = match &self.root {
            Some(root) => DiscoverOptions::new(root),
            None => DiscoverOptions::within("."),
        };
        DiscoverOptions {
            config: self.config.clone(),
            flags: self.flags(),
            ..places
        }
    }

    fn flags(&self) -> Flags {
        Flags {
            mode: self.mode,
            yolo: self.yolo,
            allow: self.allow.clone(),
            deny: self.deny.clone(),
            allow_path: self.allow_path.clone(),
            allow_url_host: self.allow_url_host.clone(),
            disable_tools: self.disable_tools.clone(),
            enable_tools: self.enable_tools.clone(),
            no_builtin_tools: self.no_builtin_tools,
            plugins: self.plugin.iter().map(|file| file.display().to_string()).collect(),
            plan_mode: self.plan_mode.clone(),
            plan_first: self.plan_first,
            bash_search_gate: self.bash_search_gate.clone(),
            no_digest: self.no_digest,
        }
    }

    /// The configuration in force; what the operator should know of it goes to standard error.
    ///
    /// # Errors
    /// Everything that is wrong in files and flags.
    pub(super) fn effective(&self) -> Result<Effective, ConfigErrors> {
        let effective = Layers::discover(&self.layers())?;
        remarks::at_start(&effective);
        Ok(effective)
    }

    /// The host that the options and the configuration describe.
    pub(super) fn host(&self) -> Result<Host> {
        host(self.effective()?)
    }

    /// These options as arguments, for a command line that describes the same host.
    pub(super) fn to_arguments(&self, root: &Path) -> Vec<String> {
        let absolute = |path: &PathBuf| {
            std::path::absolute(path)
                .unwrap_or_else(|_| path.clone())
                .display()
                .to_string()
        };
        let mut arguments = vec!["--root".to_owned(), root.display().to_string()];
        let mut add = |flag: &str, values: Vec<String>| {
            // In one word, so that a value may begin with a dash.
            arguments.extend(values.into_iter().map(|value| format!("{flag}={value}")));
        };
        add("--config", self.config.iter().map(absolute).collect());
        add("--mode", self.mode.iter().map(Mode::to_string).collect());
        add("--allow", self.allow.clone());
        add("--deny", self.deny.clone());
        let paths = self.allow_path.iter();
        add(
            "--allow-path",
            paths.map(|entry| format!("{}:{}", entry.path, entry.access)).collect(),
        );
        add("--allow-url-host", self.allow_url_host.clone());
        add("--plan-mode", self.plan_mode.iter().cloned().collect());
        add("--plan-first", self.plan_first.iter().map(bool::to_string).collect());
        add("--bash-search-gate", self.bash_search_gate.iter().cloned().collect());
        add("--plugin", self.plugin.iter().map(absolute).collect());
        add("--disable-tools", self.disable_tools.clone());
        add("--enable-tools", self.enable_tools.clone());
        let switches = [
            ("--yolo", self.yolo),
            ("--no-builtin-tools", self.no_builtin_tools),
            ("--no-digest", self.no_digest),
        ];
        let given = switches.into_iter().filter(|(_, is_given)| *is_given);
        arguments.extend(given.map(|(flag, _)| flag.to_owned()));
        arguments
    }
}

/// The host that a configuration describes.
pub(super) fn host(effective: Effective) -> Result<Host> {
    let mut builder = Host::builder().effective(effective);
    if let Ok(program) = std::env::current_exe() {
        builder = builder.compiler(Compiler::new(program));
    }
    Ok(builder.build()?)
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(Mode::ALL.map(Mode::as_str)).try_map(|name| name.parse::<Mode>())
}

/// A list separated by commas, with something in it.
fn list(text: &str) -> Result<String, String> {
    if text.split(',').any(|name| !name.trim().is_empty()) {
        Ok(text.to_owned())
    } else {
        Err("it names nothing".to_owned())
    }
}

/// The name of a session.
pub(super) fn session_name(text: &str) -> Result<String, String> {
    if (1..=NAME_BYTES).contains(&text.len()) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "the name of a session has 1 to {NAME_BYTES} bytes; this one has {}",
        text.len()
    ))
}

/// Seconds, with a fraction if need be.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let unusable =
        || format!("{text:?} is not a number of seconds above 0 and at most {MAX_DEADLINE}, such as 5 or 0.5");
    let seconds: f64 = text.parse().map_err(|_| unusable())?;
    if seconds > 0.0 && seconds <= MAX_DEADLINE {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(unusable())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_positive_and_bounded() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["0", "-1", "nan", "inf", "1e9", "soon", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sessions_have_names_that_can_be_kept() {
        assert_eq!(session_name("a b"), Ok("a b".to_owned()));
        assert!(session_name(&"é".repeat(NAME_BYTES / 2)).is_ok());
        for wrong in [String::new(), "x".repeat(NAME_BYTES + 1)] {
            assert!(session_name(&wrong).is_err(), "{wrong}");
        }
    }
}
