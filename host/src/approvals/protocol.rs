//! The lines on the socket: one JSON object each.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::gate::{Choice, Decision, PromptKind, PromptRequest, shell};

/// A line from a client.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// The open questions.
    List {},
    /// The open questions, and from then on what changes.
    Watch {},
    /// An answer to one of them.
    Answer {
        id: String,
        decision: String,
        #[serde(default)]
        approver: Option<String>,
    },
}

/// A question as clients see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// 24 hexadecimal digits, drawn for this question.
    pub id: String,
    /// What kind of thing is asked for.
    pub kind: PromptKind,
    /// The tool that wants it.
    pub tool: String,
    /// What it wants to do.
    pub operation: String,
    /// The path, the command, or what else is reached.
    pub detail: String,
    /// All arguments of the call.
    pub arguments: Value,
    /// The verb of a shell command, if it has a plain one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
    /// The subagent that calls; empty for the session itself.
    pub source: String,
    /// The session that calls.
    pub session: String,
    /// What may be answered, and what each answer covers.
    pub choices: Vec<Choice>,
    /// When it was asked, in UTC.
    pub at: String,
}

impl Prompt {
    pub(super) fn new(id: &str, request: &PromptRequest, at: &str) -> Self {
        let verb = match request.kind {
            PromptKind::Bash => shell::verb(&request.detail).map(str::to_owned),
            _ => None,
        };
        Self {
            id: id.to_owned(),
            kind: request.kind,
            tool: request.tool.clone(),
            operation: request.operation.to_owned(),
            detail: request.detail.clone(),
            arguments: serde_json::from_str(&request.arguments)
                .unwrap_or_else(|_| Value::String(request.arguments.clone())),
            verb,
            source: request.source.clone().unwrap_or_default(),
            session: request.session.clone(),
            choices: request.choices.clone(),
            at: at.to_owned(),
        }
    }
}

/// Why a question is no longer open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Somebody has answered it on this socket.
    Answered,
    /// It was answered elsewhere, its call has ended, or its time has passed.
    Withdrawn,
}

/// A line to a client that nobody asked for just now.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event {
    /// A question is open.
    Prompt(Prompt),
    /// A question is no longer open.
    Withdrawn { id: String, reason: Ended },
}

/// A line to a client that answers its own.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub(super) enum Reply {
    /// After the open questions of a list.
    Listed { pending: usize },
    /// Before the events of a watch.
    Watching,
    /// The answer counts.
    Acknowledged(Acknowledged),
    /// The line did not count.
    Refused(Refusal),
}

/// An answer that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acknowledged {
    /// The question.
    pub id: String,
    /// The decision.
    pub decision: Decision,
    /// Who is on record as having made it.
    pub approver: String,
}

/// A line that did not count, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// For programs.
    pub code: RefusalCode,
    /// For people: what was wrong, and what would work.
    pub error: String,
}

impl Refusal {
    pub(super) fn new(code: RefusalCode, error: impl Into<String>) -> Self {
        Self {
            code,
            error: error.into(),
        }
    }
}

/// The kinds of refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// The line is not a request.
    BadRequest,
    /// The line is longer than 8 KiB.
    TooLong,
    /// No question has had this id lately.
    UnknownId,
    /// The question has been answered already.
    Answered,
    /// The question was withdrawn.
    Withdrawn,
    /// There is no such decision.
    UnknownDecision,
    /// The question does not offer this decision.
    NotOffered,
    /// The named approver is not who sent the answer.
    ApproverMismatch,
    /// The connection belongs to another user.
    Forbidden,
    /// Too many connections are open.
    Busy,
}

/// One line of text.
pub(super) fn line(message: &impl Serialize) -> Vec<u8> {
    // These types hold nothing that cannot be written as JSON.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Reads a request. Repeated keys are refused like everywhere.
pub(super) fn request(line: &[u8]) -> Result<Request, Refusal> {
    let bad = |error: String| {
        let example =
            r#"{"request":"list"}, {"request":"watch"}, {"request":"answer","id":"…","decision":"allow-once"}"#;
        Refusal::new(
            RefusalCode::BadRequest,
            format!("this is not a request: {error}; requests are {example}"),
        )
    };
    let text = std::str::from_utf8(line).map_err(|error| bad(error.to_string()))?;
    let value = crate::json::parse(text).map_err(|error| bad(error.to_string()))?;
    serde_json::from_value(value).map_err(|error| bad(error.to_string()))
}
