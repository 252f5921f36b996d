//! A row of a tool table: what lies on disk, how the host is configured, which calls are made.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Workspace;
use super::after::After;
use super::outcome::Expect;
use super::setup::Step;

/// One case: set up, call, compare, look at the disk.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Unique within the file, for example `R14`.
    pub id: String,
    /// Why the row is as it is, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// What lies on disk before the first call.
    #[serde(default)]
    pub setup: Vec<Step>,
    /// How the host is configured; the default is mode `yolo` without rules.
    #[serde(default)]
    pub config: Config,
    /// The calls, made in this order within one session.
    pub calls: Vec<RowCall>,
    /// Make all calls at the same time instead.
    #[serde(default)]
    pub concurrent: bool,
    /// What holds when all calls are done.
    #[serde(default)]
    pub after: Vec<After>,
}

/// One call of a row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowCall {
    /// The tool's name.
    pub tool: String,
    /// The arguments; strings are expanded by [`Workspace::expand_value`].
    pub args: Map<String, Value>,
    /// What must come back.
    pub expect: Expect,
    /// The longest the call may take, in milliseconds; absent means unlimited.
    #[serde(default)]
    pub within_ms: Option<u64>,
}

/// The part of the host's configuration that a row decides. The working directory is always `W`, the only scope root.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Permission mode in its configuration spelling.
    pub mode: String,
    /// Output limits of one tool.
    pub caps: Option<CallCaps>,
    /// Permission rules that allow.
    pub allow: Vec<String>,
    /// Permission rules that deny.
    pub deny: Vec<String>,
    /// Patterns of `path_scope.deny`.
    pub path_scope_deny: Vec<String>,
    /// Who answers prompts.
    pub prompter: Prompter,
    /// Whether large results become digests. Most rows are about the results themselves.
    pub digest: bool,
    /// Plan mode in its configuration spelling.
    pub plan_mode: Option<String>,
    /// The name of the session, if it has one. What it keeps is kept in memory then.
    pub session: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            mode: "yolo".to_owned(),
            caps: None,
            allow: Vec::new(),
            deny: Vec::new(),
            path_scope_deny: Vec::new(),
            prompter: Prompter::None,
            digest: false,
            plan_mode: None,
            session: None,
        }
    }
}

impl Config {
    /// The same configuration with the real directories in place of `W` and `O`.
    pub fn expanded(&self, workspace: &Workspace) -> Self {
        let rules = |rules: &[String]| rules.iter().map(|rule| workspace.expand_rule(rule)).collect();
        Self {
            allow: rules(&self.allow),
            deny: rules(&self.deny),
            path_scope_deny: self
                .path_scope_deny
                .iter()
                .map(|pattern| workspace.expand(pattern))
                .collect(),
            ..self.clone()
        }
    }
}

/// Output limits set for one tool; an absent value leaves the default.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallCaps {
    /// The tool whose limits these are.
    pub tool: String,
    /// Limit in bytes.
    #[serde(default)]
    pub max_bytes: Option<u64>,
    /// Limit in lines, entries or matches, as the tool counts.
    #[serde(default)]
    pub max_lines: Option<u64>,
}

/// What stands in for the operator.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Prompter {
    /// Nobody can be asked.
    #[default]
    None,
    /// Every prompt is answered with no.
    Deny,
    /// Every prompt is answered with yes, for this call only.
    AllowOnce,
}
