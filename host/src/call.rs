//! One call: what is asked, what comes back, and how it can fail.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::gate::Decider;

/// One tool call in flight.
#[derive(Debug, Clone)]
pub struct Call {
    /// The registered tool name.
    pub tool: String,
    /// The arguments as given; the catalog validates them.
    pub arguments: Value,
    /// How long the call may take, queueing included, time spent waiting for
    /// an approval excluded. `None` takes the configured default.
    pub deadline: Option<Duration>,
    /// The caller's name for the call, unique in its session: 1 to 128 letters,
    /// digits, `-`, `_` and `.`. The whole result of a digested call is kept
    /// under it. One is drawn if absent.
    pub id: Option<String>,
}

impl Call {
    /// A call with the default deadline.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self {
            tool: tool.into(),
            arguments,
            deadline: None,
            id: None,
        }
    }

    /// Sets the caller's name for the call.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// A call whose arguments are JSON text. Repeated keys are refused, so
    /// that the gate and the tool cannot read two different values.
    ///
    /// # Errors
    /// `invalid_arguments` with the place of the syntax error.
    pub fn from_json(tool: impl Into<String>, arguments: &str) -> Result<Self, CallError> {
        let tool = tool.into();
        let arguments = crate::json::parse(arguments).map_err(|error| {
            CallError::new(
                ErrorKind::InvalidArguments,
                format!("{tool}: the arguments are not valid JSON: {error}"),
            )
        })?;
        Ok(Self::new(tool, arguments))
    }

    /// Sets the deadline.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }
}

/// What a successful call returned.
#[derive(Debug, Clone)]
pub struct CallResult {
    /// The result object, or its digest.
    pub value: Map<String, Value>,
    /// The same as JSON text. Numbers stand in it as the tool wrote them, also
    /// those that have more digits than `value` can hold.
    pub text: String,
    /// Where `value` is a digest: the id under which the session keeps the
    /// whole result.
    pub payload: Option<String>,
}

/// The kinds of failure that a caller may want to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The arguments do not fit the tool's schema or contradict each other.
    InvalidArguments,
    /// The tool, or what an argument names, does not exist.
    NotFound,
    /// The gate or the scope refused the call.
    Denied,
    /// A size, count or memory limit was reached.
    Limit,
    /// The call took too long and was stopped.
    Deadline,
    /// The caller gave up.
    Cancelled,
    /// Something the tool needs is not there now.
    Unavailable,
    /// The tool failed in another way, or broke down.
    Failed,
}

impl ErrorKind {
    /// The name used in JSON, for example `invalid_arguments`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArguments => "invalid_arguments",
            Self::NotFound => "not_found",
            Self::Denied => "denied",
            Self::Limit => "limit",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
            Self::Failed => "failed",
        }
    }
}

/// A failed call: a kind, and a message that says what was wrong, with which
/// value, and what would work.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct CallError {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// The text for the model and the operator.
    pub message: String,
    /// What decided, where the gate refused.
    pub rule: Option<Box<Decider>>,
}

impl CallError {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            rule: None,
        }
    }

    /// The same, with what decided.
    #[must_use]
    pub(crate) fn by_rule(mut self, rule: Decider) -> Self {
        self.rule = Some(Box::new(rule));
        self
    }

    /// The error object as callers see it: `{"error": …, "kind": …}`, and
    /// `"rule"` where a rule refused the call.
    pub fn to_json(&self) -> Value {
        let mut error = serde_json::json!({"error": self.message, "kind": self.kind});
        if let Some(rule) = &self.rule {
            error["rule"] = Value::String(rule.id.to_string());
        }
        error
    }
}
