//! What would happen to a call, and why, without making it and without asking anybody.

use super::decide::{NETWORK, known_channel, values, web_url};
use super::decider::{Decider, Refusal};
use super::gate::Gate;
use super::judge::{Judge, Judgement, PathRequest};
use super::named::Request;
use super::posture::Posture;
use super::prompt::{Choice, PromptKind};
use super::rules::escape;
use crate::call::CallError;
use crate::catalog::{Arguments, Definition, Target};

/// What would happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It would pass.
    Pass,
    /// The operator would be asked.
    Ask,
    /// It would be refused.
    Refuse,
}

/// One decision of a call, explained.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Explanation {
    /// What it is about: the path, the command or the key; empty for a call that reaches nothing.
    pub subject: String,
    /// The path as it was given, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// What is wanted: `read`, `write`, `create`, `delete`, `run`, `call`.
    pub operation: String,
    /// What would happen.
    pub outcome: Outcome,
    /// What decides.
    pub rule: Decider,
    /// What the caller would hear, if it is refused, or if nobody answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The one change of the configuration that would turn it around.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// What kind of question it would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<PromptKind>,
    /// What could be answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

impl Explanation {
    fn new(tool: &str, subject: String, operation: &str, judgement: Judgement) -> Self {
        let mut explanation = Self {
            given: None,
            operation: operation.to_owned(),
            outcome: Outcome::Pass,
            rule: Decider::fixed("", ""),
            message: None,
            change: None,
            kind: None,
            choices: Vec::new(),
            subject,
        };
        match judgement {
            Judgement::Pass(decider) => {
                explanation.change = Some(refuse(tool, &explanation.subject));
                explanation.rule = decider;
            }
            Judgement::Refuse(refusal) => explanation.refused(refusal),
            Judgement::Ask(question) => {
                explanation.outcome = Outcome::Ask;
                explanation.kind = Some(question.kind);
                explanation.choices = question.grantable.choices();
                explanation.change.clone_from(&question.nobody.change);
                explanation.message = Some(question.nobody.message);
                explanation.rule = question.decider;
            }
        }
        explanation
    }

    fn refused(&mut self, refusal: Refusal) {
        self.outcome = Outcome::Refuse;
        self.rule = refusal.decider;
        self.message = Some(refusal.message);
        self.change = refusal.change;
    }
}

fn refuse(tool: &str, subject: &str) -> String {
    let key = if subject.is_empty() {
        "*".to_owned()
    } else {
        escape(subject)
    };
    format!("add \"{tool}:{key}\" to permissions.deny (--deny)")
}

impl Gate {
    /// Every decision that a call would take. The call passes if all of them
    /// do, except that a tool may go on without paths of a lenient access.
    ///
    /// # Errors
    /// `invalid_arguments` for a path that cannot name anything.
    pub(crate) fn explain(
        &self,
        posture: &Posture,
        definition: &Definition,
        arguments: &Arguments,
    ) -> Result<Vec<Explanation>, CallError> {
        let tool = definition.name.as_str();
        let judge = Judge::new(self, posture);
        let whole = self.whole_tool(posture, tool).err();
        let mut all = Vec::new();
        for access in &definition.accesses {
            for (_, given) in values(access, arguments) {
                let operation = access.operations.as_str();
                match access.target {
                    Target::Url => {
                        let url = web_url(tool, &given)?;
                        let judgement = judge.url(tool, &url);
                        let mut explanation = Explanation::new(tool, url.to_string(), operation, judgement);
                        explanation.given = (given != url.as_str()).then_some(given);
                        all.push(explanation);
                        continue;
                    }
                    Target::Channel => {
                        known_channel(posture, tool, &given)?;
                        let judgement = judge.key(tool, &given);
                        all.push(Explanation::new(tool, given, operation, judgement));
                        continue;
                    }
                    Target::File | Target::Tree | Target::Directory => {}
                }
                let (requested, resolved) = match self.resolve(posture, tool, access, &given) {
                    Ok(found) => found,
                    Err(error) => {
                        all.push(unresolved(given, operation, error)?);
                        continue;
                    }
                };
                let request = PathRequest {
                    tool,
                    operations: access.operations,
                    target: access.target,
                    requested: &requested,
                    resolved: &resolved,
                };
                let judgement = judge.path(&request, &judge.anchor(&request));
                let mut explanation = Explanation::new(tool, resolved.path.clone(), operation, judgement);
                explanation.given = (given != resolved.path).then_some(given);
                all.push(explanation);
            }
        }
        if posture.networks.contains(tool) {
            let judgement = judge.key(tool, NETWORK);
            all.push(Explanation::new(tool, NETWORK.to_owned(), "send", judgement));
        }
        let lenient = definition.accesses.iter().any(|access| access.lenient);
        if let Some(error) = whole.filter(|_| lenient || all.is_empty()) {
            all.insert(0, unresolved(String::new(), "call", error)?);
        }
        if all.is_empty() {
            let nothing = Decider::fixed("reach.nothing", "the call reaches nothing");
            all.push(Explanation::new(tool, String::new(), "call", Judgement::Pass(nothing)));
        }
        Ok(all)
    }

    /// The decision over a request without a definition.
    pub(crate) fn explain_request(&self, posture: &Posture, request: &Request<'_>) -> Explanation {
        let key = request.key();
        let (tool, operation) = match request {
            Request::Command(_) | Request::Hook(_) => ("bash", "run"),
            Request::Key { tool, .. } => (*tool, "call"),
            Request::Named { namespace, .. } => (*namespace, "call"),
        };
        let judgement = request.judge(&Judge::new(self, posture), &key);
        Explanation::new(tool, key, operation, judgement)
    }
}

/// A refusal that came as an error; other errors are the caller's.
fn unresolved(subject: String, operation: &str, error: CallError) -> Result<Explanation, CallError> {
    let Some(rule) = error.rule.clone() else {
        return Err(error);
    };
    let refusal = Refusal::new(*rule, error.message, None);
    Ok(Explanation::new("", subject, operation, Judgement::Refuse(refusal)))
}
