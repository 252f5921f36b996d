//! One record per call: who, what, how it was decided, how it ended.
//! Called by the session when a call is over. Records go to the log, target `toolgate::audit`.
//! Must not touch: results; it never changes the outcome of a call.

use std::time::Duration;

use crate::call::{CallError, CallResult};

/// What is known of a call when it is over.
#[derive(Debug)]
pub struct Record<'a> {
    /// The session.
    pub session: &'a str,
    /// The tool as asked for, known or not.
    pub tool: &'a str,
    /// The rule, grant, scope or mode that let it pass, if it came so far.
    pub decided_by: Option<&'a str>,
    /// Wall time from entry to result.
    pub duration: Duration,
}

/// Writes the record.
pub fn record(record: &Record<'_>, outcome: &Result<CallResult, CallError>) {
    let outcome = match outcome {
        Ok(_) => "ok",
        Err(error) => error.kind.as_str(),
    };
    // Names come from callers; the debug form escapes control characters.
    tracing::info!(
        target: "toolgate::audit",
        session = ?record.session,
        tool = ?record.tool,
        decided_by = record.decided_by,
        outcome,
        micros = u64::try_from(record.duration.as_micros()).unwrap_or(u64::MAX),
        "call"
    );
}
