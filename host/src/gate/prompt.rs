//! How the operator is asked.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;
use std::time::Duration;

/// What kind of thing is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptKind {
    /// A shell command.
    Bash,
    /// A change to a file in scope.
    FileWrite,
    /// A path outside the scope.
    PathScope,
    /// Anything else that a tool reaches: a URL, a channel, a tool of another server.
    Generic,
    /// A change to a file that grants rights: configuration, hooks, shell start files.
    ControlPlaneWrite,
}

/// One question to the operator.
#[derive(Debug, Clone)]
pub struct PromptRequest {
    /// The kind, which front ends show differently.
    pub kind: PromptKind,
    /// The tool that wants it.
    pub tool: String,
    /// What it wants to do: `read`, `write`, `create`, `delete`, `run` or `call`.
    pub operation: &'static str,
    /// The resolved path, the command, or what else the tool presents.
    pub detail: String,
    /// All arguments of the call, canonical JSON: the operator judges the
    /// whole call, not just its path.
    pub arguments: String,
    /// The session that calls.
    pub session: String,
    /// The subagent that calls, if it is not the session itself.
    pub source: Option<String>,
    /// What may be answered, narrowest first; `deny` and `allow-once` always stand in it.
    pub choices: Vec<Choice>,
}

/// One possible answer, and what it would cover.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Choice {
    /// The answer.
    pub decision: Decision,
    /// What it covers, in words: nothing beyond these is granted by it.
    pub covers: String,
}

impl PromptRequest {
    /// Whether this may be answered.
    pub fn offers(&self, decision: Decision) -> bool {
        self.choices.iter().any(|choice| choice.decision == decision)
    }
}

/// The operator's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Refused.
    Deny,
    /// This call only.
    #[serde(rename = "allow-once")]
    Once,
    /// The same again, for the session.
    #[serde(rename = "allow-session")]
    Session,
    /// Plain commands of the same verb, for the session.
    #[serde(rename = "allow-session-verb")]
    SessionVerb,
    /// The tool, as far as the question says, for the session.
    #[serde(rename = "allow-session-tool")]
    SessionTool,
    /// The same again, from now on.
    #[serde(rename = "allow-always")]
    Always,
    /// Everything in the directory of the question, from now on.
    #[serde(rename = "allow-always-directory")]
    AlwaysDirectory,
}

impl Decision {
    /// All decisions, narrowest first.
    pub const ALL: [Self; 7] = [
        Self::Deny,
        Self::Once,
        Self::Session,
        Self::SessionVerb,
        Self::SessionTool,
        Self::Always,
        Self::AlwaysDirectory,
    ];

    /// The spelling on the wire, for example `allow-once`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Once => "allow-once",
            Self::Session => "allow-session",
            Self::SessionVerb => "allow-session-verb",
            Self::SessionTool => "allow-session-tool",
            Self::Always => "allow-always",
            Self::AlwaysDirectory => "allow-always-directory",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Decision {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::as_str);
        Self::ALL
            .into_iter()
            .find(|decision| decision.as_str() == text)
            .ok_or_else(|| {
                format!(
                    "unknown decision {text:?}; the decisions are {}{}",
                    names.join(", "),
                    crate::suggest::hint(text, names)
                )
            })
    }
}

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Approver {
    /// The name, as this host itself verified it; never one that somebody claimed.
    pub who: String,
    /// The way of the answer: `terminal`, `elicitation`, `socket`, …
    pub how: String,
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What was decided.
    pub decision: Decision,
    /// By whom, if the host knows.
    pub approver: Option<Approver>,
}

impl From<Decision> for Answer {
    fn from(decision: Decision) -> Self {
        Self {
            decision,
            approver: None,
        }
    }
}

/// A question that got no answer. The call is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// Nobody is there who could answer.
    #[error("nobody can be asked: {0}")]
    Unattended(String),
    /// Nobody answered in time.
    #[error("nobody answered within {} s", .0.as_secs())]
    Expired(Duration),
    /// Whoever was asked went away.
    #[error("the question was not answered: {0}")]
    Closed(String),
    /// Asking failed.
    #[error("asking failed: {0}")]
    Failed(String),
}

/// What asking leads to.
pub type Asked<'a> = Pin<Box<dyn Future<Output = Result<Answer, PromptError>> + Send + 'a>>;

/// Somebody who can be asked.
pub trait Prompter: Send + Sync {
    /// Asks, and waits for the answer. Dropping the future withdraws the
    /// question. Several questions may be asked at the same time; a medium
    /// that shows one at a time queues them.
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Asked<'a>;

    /// How long a question waits unless `permissions.prompt_timeout_seconds`
    /// says otherwise; `None` is without end.
    fn patience(&self) -> Option<Duration> {
        None
    }
}
