//! Requests that are not declared by a definition: commands, keys, and tools of other sets.

use serde_json::{Map, Value};

use super::ask::Asker;
use super::decider::Decider;
use super::gate::Gate;
use super::judge::{Judge, Judgement, Named};
use super::posture::Posture;
use super::prompt::Approver;
use crate::call::CallError;

/// A request that the gate let pass.
#[derive(Debug, Clone)]
pub struct Passed {
    /// What decided.
    pub decision: Decider,
    /// Who approved it, if somebody was asked and the host knows who answered.
    pub approver: Option<Approver>,
}

/// What a request without a definition is about.
#[derive(Debug, Clone, Copy)]
pub enum Request<'a> {
    /// A shell command of a caller.
    Command(&'a str),
    /// A shell command of the operator's configuration.
    Hook(&'a str),
    /// A tool of this host with a key: a URL, a channel, a peer, an agent.
    Key {
        /// The tool.
        tool: &'a str,
        /// What it presents.
        key: &'a str,
    },
    /// A tool of another set.
    Named {
        /// The set: `mcp`, `skill`, `spawn_agent`.
        namespace: &'a str,
        /// The tool.
        tool: &'a str,
        /// All arguments.
        arguments: &'a Map<String, Value>,
        /// Whether it only reads, by its own word or the operator's.
        read_only: bool,
    },
}

impl Request<'_> {
    /// The name that the call goes by.
    fn tool(&self) -> &str {
        match self {
            Self::Command(_) | Self::Hook(_) => "bash",
            Self::Key { tool, .. } | Self::Named { tool, .. } => tool,
        }
    }

    /// What rules match: for a tool of another set its name and its arguments,
    /// whole and canonical.
    pub fn key(&self) -> String {
        match self {
            Self::Command(command) | Self::Hook(command) => command.trim().to_owned(),
            Self::Key { key, .. } => (*key).to_owned(),
            Self::Named { tool, arguments, .. } if arguments.is_empty() => (*tool).to_owned(),
            Self::Named { tool, arguments, .. } => format!("{tool} {}", canonical(arguments)),
        }
    }

    pub(super) fn judge(&self, judge: &Judge<'_>, key: &str) -> Judgement {
        match *self {
            Self::Command(command) => judge.command(command),
            Self::Hook(command) => judge.hook(command),
            Self::Key { tool, key } => judge.key(tool, key),
            Self::Named {
                namespace,
                tool,
                read_only,
                ..
            } => judge.named(&Named {
                namespace,
                tool,
                key,
                read_only,
            }),
        }
    }

    fn arguments(&self) -> String {
        match self {
            Self::Command(command) | Self::Hook(command) => serde_json::json!({ "command": command }).to_string(),
            Self::Key { key, .. } => Value::String((*key).to_owned()).to_string(),
            Self::Named { arguments, .. } => canonical(arguments),
        }
    }
}

impl Gate {
    /// Decides a request, and asks if nothing else does.
    ///
    /// # Errors
    /// `denied`, with the deciding rule.
    pub(crate) async fn pass(
        &self,
        posture: &Posture,
        request: &Request<'_>,
        source: Option<&str>,
    ) -> Result<Passed, CallError> {
        let key = request.key();
        let asker = Asker {
            tool: request.tool(),
            arguments: &|| request.arguments(),
            source,
            timeout: posture.prompt_timeout,
        };
        let settled = self
            .settle(&asker, || request.judge(&Judge::new(self, posture), &key))
            .await?;
        Ok(Passed {
            decision: settled.decider,
            approver: settled.approver,
        })
    }
}

/// Arguments as one text that does not depend on the order in which they came.
fn canonical(arguments: &Map<String, Value>) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(map) => {
                let mut keys: Vec<_> = map.iter().collect();
                keys.sort_by_key(|(key, _)| *key);
                Value::Object(
                    keys.into_iter()
                        .map(|(key, value)| (key.clone(), sorted(value)))
                        .collect(),
                )
            }
            Value::Array(list) => Value::Array(list.iter().map(sorted).collect()),
            other => other.clone(),
        }
    }
    sorted(&Value::Object(arguments.clone())).to_string()
}
