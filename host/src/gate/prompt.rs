//! How the operator is asked.

use std::future::Future;
use std::pin::Pin;

/// What kind of thing is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptKind {
    /// A change to a file in scope.
    FileWrite,
    /// A path outside the scope.
    PathScope,
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
    /// What it wants to do: `read`, `write`, `create` or `delete`.
    pub operation: &'static str,
    /// The resolved path.
    pub detail: String,
    /// All arguments of the call, canonical JSON: the operator judges the
    /// whole call, not just its path.
    pub arguments: String,
}

/// The operator's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Refused.
    Deny,
    /// This call only.
    Once,
    /// This tool on this path, for the session.
    Session,
    /// This tool on everything in scope, for the session.
    Tool,
}

/// Somebody who can be asked.
pub trait Prompter: Send + Sync {
    /// Asks, and waits for the answer. Dropping the future withdraws the question.
    fn prompt<'a>(&'a self, request: &'a PromptRequest) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>>;
}
