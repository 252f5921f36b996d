//! What a session may do: asking the gate without a call, and changing what holds for this session alone.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Session;
use crate::call::{CallError, ErrorKind};
use crate::gate::{Approved, Explanation, Mode, Outcome, Passed, Request, RuleError};

/// What is in force for a session, rules as they are written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Permissions {
    /// The mode.
    pub mode: &'static str,
    /// The allow rules, those of bundles and of the session included.
    pub allow: Vec<String>,
    /// The deny rules, those of the session included.
    pub deny: Vec<String>,
}

/// What to expect of a tool before its arguments are known. Only a hint: paths
/// and rules about single keys decide otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Projection {
    /// A deny rule names the tool, or the mode only reads.
    Denied,
    /// An allow rule names the tool, or the mode lets everything pass.
    Allowed,
    /// No allow rule names the tool, and the mode does not ask.
    DeniedAllowMode,
    /// The operator would be asked.
    Prompted,
}

impl Session {
    /// Another caller with the same grants, plan, mode and approvals, whose
    /// questions name it: a subagent of this session.
    #[must_use]
    pub fn subagent(&self, name: impl Into<Arc<str>>) -> Self {
        Self {
            source: Some(name.into()),
            ..self.clone()
        }
    }

    /// The mode in force for this session.
    pub fn mode(&self) -> Mode {
        self.state.gate.mode_over(&self.host.settings().posture)
    }

    /// Changes the mode for this session alone, until it ends.
    pub fn set_mode(&self, mode: Mode) {
        self.state.gate.set_mode(mode);
    }

    /// Adds an allow rule for this session alone, until it ends.
    ///
    /// # Errors
    /// The rule does not parse; nothing changes then.
    pub fn allow(&self, rule: &str) -> Result<(), RuleError> {
        let settings = self.host.settings();
        self.state.gate.add_rule(rule, true, settings.posture.scope.project())
    }

    /// Adds a deny rule for this session alone, until it ends.
    ///
    /// # Errors
    /// The rule does not parse; nothing changes then.
    pub fn deny(&self, rule: &str) -> Result<(), RuleError> {
        let settings = self.host.settings();
        self.state.gate.add_rule(rule, false, settings.posture.scope.project())
    }

    /// What the operator approved in this session, oldest first.
    pub fn approvals(&self) -> Vec<Approved> {
        self.state.gate.log.entries()
    }

    /// Rules for `permissions.allow` under which the approved calls would have
    /// passed without a question.
    pub fn recommendations(&self) -> Vec<String> {
        self.state.gate.log.recommendations()
    }

    /// The mode and the rules in force.
    pub fn permissions(&self) -> Permissions {
        let settings = self.host.settings();
        let (configured, own) = (&settings.posture.policy, self.state.gate.rules());
        let texts = |lists: [Vec<&crate::gate::Rule>; 2]| {
            let rules = lists.into_iter().flatten();
            rules.map(|rule| rule.text().to_owned()).collect()
        };
        Permissions {
            mode: self.mode().as_str(),
            allow: texts([configured.allow_list().collect(), own.allow_list().collect()]),
            deny: texts([configured.deny_list().collect(), own.deny_list().collect()]),
        }
    }

    /// What to expect of a tool. For tools of other sets, of the set: `mcp`, `skill`.
    pub fn projection(&self, tool: &str) -> Projection {
        let settings = self.host.settings();
        let (configured, own) = (&settings.posture.policy, self.state.gate.rules());
        let mode = self.mode();
        if configured.denies(tool, "").or_else(|| own.denies(tool, "")).is_some() || mode == Mode::Plan {
            Projection::Denied
        } else if mode == Mode::Yolo || configured.allows(tool, "").or_else(|| own.allows(tool, "")).is_some() {
            Projection::Allowed
        } else if mode == Mode::Allow {
            Projection::DeniedAllowMode
        } else {
            Projection::Prompted
        }
    }

    /// Decides a request that is not a call of a registered tool: a command, a
    /// key, a tool of another set. Asks the operator if nothing else decides.
    ///
    /// # Errors
    /// `denied`, with the deciding rule.
    pub async fn check(&self, request: &Request<'_>) -> Result<Passed, CallError> {
        let settings = self.host.settings();
        let gate = &self.state.gate;
        gate.pass(&settings.posture, request, self.source.as_deref()).await
    }

    /// What would happen to a call, and why. Nobody is asked and nothing runs;
    /// a tool that was not needed before is loaded.
    ///
    /// # Errors
    /// The tool is not known, or the arguments do not fit it.
    pub fn explain(&self, tool: &str, mut arguments: Value) -> Result<Vec<Explanation>, CallError> {
        let registered = self.host.tool(tool)?;
        let arguments = registered.arguments(&mut arguments)?;
        let settings = self.host.settings();
        let gate = &self.state.gate;
        gate.explain(&settings.posture, &registered.definition, arguments)
    }

    /// The same for a request that is not a call of a registered tool.
    pub fn explain_request(&self, request: &Request<'_>) -> Explanation {
        let settings = self.host.settings();
        self.state.gate.explain_request(&settings.posture, request)
    }
}

/// The whole call, from the explanations of its parts: it is refused if one of
/// them is, otherwise asked for if one of them is.
pub fn outcome(explanations: &[Explanation]) -> Outcome {
    let worst = |wanted| explanations.iter().any(|explanation| explanation.outcome == wanted);
    if worst(Outcome::Refuse) {
        Outcome::Refuse
    } else if worst(Outcome::Ask) {
        Outcome::Ask
    } else {
        Outcome::Pass
    }
}

/// The request that a documented tool would make which this host does not
/// have, or `None` for names that are not documented or need no key.
///
/// # Errors
/// `invalid_arguments`, naming the missing argument.
pub fn documented<'a>(tool: &'a str, arguments: &'a Map<String, Value>) -> Option<Result<Request<'a>, CallError>> {
    let argument = |name: &'static str| {
        arguments.get(name).and_then(Value::as_str).ok_or_else(|| {
            CallError::new(
                ErrorKind::InvalidArguments,
                format!("{tool}: the argument `{name}`, a text, is missing; it is what rules about {tool} match"),
            )
        })
    };
    let key = |name| argument(name).map(|key| Request::Key { tool, key });
    Some(match tool {
        "bash" => argument("command").map(Request::Command),
        "fetch_url" => key("url"),
        "alert" => key("target"),
        "call_peer" => key("peer"),
        "spawn_agent" => key("name"),
        _ => return None,
    })
}
