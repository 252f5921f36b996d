//! A question, from whichever way it came.

use std::borrow::Cow;

use serde_json::Value;
use toolgate::PromptRequest;
use toolgate::approvals::Prompt;
use toolgate::gate::{Choice, PromptKind};

/// What a question shows.
pub(in crate::cli) struct View<'a> {
    pub(in crate::cli) kind: PromptKind,
    pub(in crate::cli) tool: &'a str,
    pub(in crate::cli) operation: &'a str,
    pub(in crate::cli) detail: &'a str,
    pub(in crate::cli) arguments: Cow<'a, Value>,
    pub(in crate::cli) session: &'a str,
    pub(in crate::cli) source: &'a str,
    pub(in crate::cli) choices: &'a [Choice],
}

impl<'a> From<&'a PromptRequest> for View<'a> {
    fn from(request: &'a PromptRequest) -> Self {
        let arguments = serde_json::from_str(&request.arguments);
        Self {
            kind: request.kind,
            tool: &request.tool,
            operation: request.operation,
            detail: &request.detail,
            arguments: Cow::Owned(arguments.unwrap_or_else(|_| Value::String(request.arguments.clone()))),
            session: &request.session,
            source: request.source.as_deref().unwrap_or_default(),
            choices: &request.choices,
        }
    }
}

impl<'a> From<&'a Prompt> for View<'a> {
    fn from(prompt: &'a Prompt) -> Self {
        Self {
            kind: prompt.kind,
            tool: &prompt.tool,
            operation: &prompt.operation,
            detail: &prompt.detail,
            arguments: Cow::Borrowed(&prompt.arguments),
            session: &prompt.session,
            source: &prompt.source,
            choices: &prompt.choices,
        }
    }
}
