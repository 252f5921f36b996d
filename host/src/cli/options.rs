//! Options that every verb takes, and the host they describe.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};
use toolgate::config::AllowPath;
use toolgate::sandbox::Compiler;
use toolgate::session::store::limits::NAME_BYTES;
use toolgate::{Config, Host, Mode};

use toolgate::places;

/// Longest accepted deadline, in seconds: one day, as in the configuration.
const MAX_DEADLINE: f64 = 86_400.0;

#[derive(Args)]
pub(super) struct Options {
    /// The project directory: what the tools see, and where relative paths start
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// What happens to calls that no rule decides [default: ask, or the configuration's]
    #[arg(long, global = true, value_name = "MODE", value_parser = modes())]
    mode: Option<Mode>,

    /// A configuration file, .toml or .json [default: toolgate/config.toml in the user's
    /// configuration directory, if it exists]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// A component to load besides the built-in tools; repeatable
    #[arg(long, global = true, value_name = "FILE")]
    plugin: Vec<PathBuf>,

    /// A path outside the root to admit, with access r, w or rw: /srv/data:r; repeatable
    #[arg(long, global = true, value_name = "PATH:ACCESS", value_parser = allow_path)]
    allow_path: Vec<AllowPath>,

    /// Leave these tools out, by name, separated by commas; repeatable
    #[arg(long, global = true, value_name = "NAMES", value_delimiter = ',')]
    disable_tools: Vec<String>,

    /// Return large results of survey tools as they are, not as digests
    #[arg(long, global = true, alias = "no-mcp-digest")]
    no_digest: bool,

    /// Log more to standard error; repeat for details (TOOLGATE_LOG takes a filter)
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(super) verbose: u8,
}

impl Options {
    /// The configuration file and what the options change of it.
    pub(super) fn configuration(&self) -> Result<Config> {
        let mut config = match self.file() {
            Some(file) => Config::load(&file)?,
            None => Config::default(),
        };
        config.path_scope.allow_paths.extend(self.allow_path.iter().cloned());
        config
            .tools
            .disable
            .extend(self.disable_tools.iter().map(|name| name.trim().to_owned()));
        config.tool_output.digest &= !self.no_digest;
        Ok(config)
    }

    /// The host that the options and the configuration describe.
    pub(super) fn host(&self) -> Result<Host> {
        self.host_with(self.configuration()?)
    }

    /// The same for a caller that has looked at the configuration.
    pub(super) fn host_with(&self, config: Config) -> Result<Host> {
        let mut builder = Host::builder().root(&self.root).config(config);
        if let Some(file) = self.file() {
            builder = builder.own_file(file);
        }
        if let Some(mode) = self.mode {
            builder = builder.mode(mode);
        }
        for plugin in &self.plugin {
            builder = builder.plugin(plugin);
        }
        if let Ok(program) = std::env::current_exe() {
            builder = builder.compiler(Compiler::new(program));
        }
        Ok(builder.build()?)
    }

    fn file(&self) -> Option<PathBuf> {
        self.config.clone().or_else(places::configuration)
    }

    /// These options as arguments, for a command line that describes the same host.
    pub(super) fn to_arguments(&self) -> Vec<String> {
        let absolute = |path: &PathBuf| {
            std::path::absolute(path)
                .unwrap_or_else(|_| path.clone())
                .display()
                .to_string()
        };
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.clone());
        let mut arguments = vec!["--root".to_owned(), absolute(&root)];
        if let Some(mode) = self.mode {
            arguments.extend(["--mode".to_owned(), mode.to_string()]);
        }
        if let Some(config) = &self.config {
            arguments.extend(["--config".to_owned(), absolute(config)]);
        }
        for plugin in &self.plugin {
            arguments.extend(["--plugin".to_owned(), absolute(plugin)]);
        }
        for entry in &self.allow_path {
            arguments.extend(["--allow-path".to_owned(), format!("{}:{}", entry.path, entry.access)]);
        }
        if !self.disable_tools.is_empty() {
            arguments.extend(["--disable-tools".to_owned(), self.disable_tools.join(",")]);
        }
        if self.no_digest {
            arguments.push("--no-digest".to_owned());
        }
        arguments
    }
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(Mode::ALL.map(Mode::as_str)).try_map(|name| name.parse::<Mode>())
}

fn allow_path(text: &str) -> Result<AllowPath, String> {
    let (path, access) = text
        .rsplit_once(':')
        .ok_or_else(|| format!("{text:?} has no access; write it as PATH:r, PATH:w or PATH:rw"))?;
    let entry = AllowPath {
        path: path.to_owned(),
        access: access.to_owned(),
        mode: None,
    };
    if path.is_empty() {
        return Err(format!("{text:?} has no path; write it as PATH:r, PATH:w or PATH:rw"));
    }
    entry.parsed_access().map(|_| entry)
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

    #[test]
    fn allowed_paths_name_their_access() {
        let entry = allow_path("/srv/a:b:rw").unwrap();
        assert_eq!((entry.path.as_str(), entry.access.as_str()), ("/srv/a:b", "rw"));
        for wrong in ["/srv", ":r", "/srv:x", "/srv:"] {
            assert!(allow_path(wrong).is_err(), "{wrong}");
        }
    }
}
