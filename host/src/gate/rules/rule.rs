//! One rule.

use super::glob::{KeyGlob, Side};
use crate::gate::{Decider, shell};

/// The tool that runs shell commands.
const SHELL_TOOL: &str = "bash";

/// How a rule about one command begins.
const COMMAND: &str = "tool.bash.cmd:";

/// Tools whose keys are no paths, so that a rule for them is never taken as one below the project.
const KEYED: [&str; 7] = [
    SHELL_TOOL,
    "fetch_url",
    "alert",
    "call_peer",
    "spawn_agent",
    "mcp",
    "skill",
];

/// A rule that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rule {rule:?} cannot be used: {reason}")]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong with it.
    pub reason: String,
}

/// One parsed rule.
#[derive(Debug, Clone)]
pub struct Rule {
    text: String,
    id: String,
    origin: Option<String>,
    /// Any tool if absent.
    tool: Option<String>,
    /// The glob as written.
    glob: KeyGlob,
    /// The same below the project, for globs that read as relative paths: what
    /// such keys begin with, and the glob for the rest.
    anchored: Option<(String, KeyGlob)>,
    /// The command that it is about, instead of the glob: `tool.bash.cmd:NAME`.
    command: Option<String>,
}

impl Rule {
    /// Parses one rule. The text is split at the first colon: tool on the
    /// left (`*` or nothing for any), glob over the key on the right. Without
    /// a colon it is a glob for any tool, except that `tool.NAME` means the
    /// whole tool NAME. Relative paths are taken below `project`.
    pub(super) fn parse(text: &str, id: String, side: Side, project: &str) -> Result<Self, RuleError> {
        let fail = |reason: String| RuleError {
            rule: text.to_owned(),
            reason,
        };
        if text.trim().is_empty() {
            return Err(fail("it is empty".to_owned()));
        }
        let command = text.strip_prefix(COMMAND).map(|name| name.trim().to_owned());
        let (tool, glob) = match text.split_once(':') {
            Some((_, name)) if command.is_some() => (Some(SHELL_TOOL), name),
            Some(("" | "*", glob)) => (None, glob),
            Some((tool, glob)) => (Some(tool.strip_prefix("tool.").unwrap_or(tool)), glob),
            None => match text.strip_prefix("tool.") {
                Some(tool) => (Some(tool), "*"),
                None => (None, text),
            },
        };
        if command.as_deref() == Some("") {
            return Err(fail(format!("it names no command; write {COMMAND}NAME")));
        }
        if glob.trim().is_empty() {
            return Err(fail(
                "it has no pattern after the colon; write * for every key".to_owned(),
            ));
        }
        let relative = !glob.starts_with(['/', '~', '*', '[', '?']) && tool.is_none_or(|tool| !KEYED.contains(&tool));
        let below = glob.strip_prefix("./").unwrap_or(glob);
        // The project may be `/` itself.
        let folder = format!("{}/", project.trim_end_matches('/'));
        Ok(Self {
            text: text.to_owned(),
            id,
            origin: None,
            tool: tool.map(str::to_owned),
            glob: KeyGlob::parse(glob, side).map_err(fail)?,
            anchored: relative
                .then(|| KeyGlob::parse(below, side).map(|glob| (folder, glob)))
                .transpose()
                .map_err(fail)?,
            command,
        })
    }

    /// The rule as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it stands: the configuration key and its number, such as `permissions.deny[2]`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The rule as what decided.
    pub fn decider(&self) -> Decider {
        Decider {
            origin: self.origin.clone(),
            ..Decider::found(self.id.clone(), self.text.clone())
        }
    }

    pub(super) fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The glob as written, for rules that name no tool.
    pub(super) fn bare(&self) -> Option<&str> {
        self.tool.is_none().then(|| self.glob.text())
    }

    pub(super) fn locate(&mut self, origin: Option<String>) {
        self.origin = origin;
    }

    pub(super) fn speaks_of(&self, tool: &str) -> bool {
        self.tool.as_deref().is_none_or(|only| only == tool)
    }

    /// Whether a rule to allow covers this request. A shell command has to be
    /// the very text of the rule, or one plain command that only reads: the
    /// beginning of a command line says nothing of the rest.
    pub(super) fn allows(&self, tool: &str, key: &str) -> bool {
        if tool != SHELL_TOOL {
            return self.matches(tool, key);
        }
        match &self.command {
            Some(name) => shell::covers(name, key),
            None => self.matches(tool, key) && (self.glob.is_exactly(key) || shell::is_safe(key).is_ok()),
        }
    }

    /// Whether it speaks of this tool and key, as a rule to deny does.
    pub fn matches(&self, tool: &str, key: &str) -> bool {
        if let Some(name) = &self.command {
            return tool == SHELL_TOOL && shell::runs(key, name);
        }
        let below =
            |(folder, glob): &(String, KeyGlob)| key.strip_prefix(&**folder).is_some_and(|rest| glob.matches(rest));
        self.speaks_of(tool)
            && (self.glob.matches(key)
                // A rule for any tool may read as a path, but the key of these tools never is one.
                || !KEYED.contains(&tool) && self.anchored.as_ref().is_some_and(below))
    }
}
