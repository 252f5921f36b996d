//! What is known of a call when it is over.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::hop::Hop;

/// One call, for the log. Everything is borrowed: it is rendered before the record waits for anything.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// When the call was over.
    pub time: SystemTime,
    /// The session.
    pub session: &'a str,
    /// The caller's name for the call.
    pub call_id: Option<&'a str>,
    /// The tool as asked for, known or not.
    pub tool: &'a str,
    /// Where the tool comes from: `built-in`, or the file or server it was loaded from.
    pub origin: Option<&'a str>,
    /// The arguments in canonical form, or as given if the call did not come so far.
    pub arguments: Option<&'a Value>,
    /// What the gate said; `None` if it was not asked.
    pub decision: Option<Decided<'a>>,
    /// Who approved or refused, if somebody was asked.
    pub approver: Option<Approver<'a>>,
    /// The text of the result. Only its length and digest are kept.
    pub result: Option<&'a str>,
    /// What the call used.
    pub resources: Resources,
    /// What it sent to other machines: the first requests, and how many there were.
    pub hops: (Vec<Hop>, u64),
    /// How it ended: nothing, or the kind and the message of the error.
    pub error: Option<Failure<'a>>,
}

/// The gate's decision.
#[derive(Debug, Clone, Copy)]
pub struct Decided<'a> {
    /// Whether the call may run.
    pub allowed: bool,
    /// The rule, grant, scope or mode that decided, in words.
    pub by: Option<&'a str>,
    /// The file that holds the rule, if known.
    pub origin: Option<&'a str>,
}

/// Who answered a prompt.
#[derive(Debug, Clone, Copy)]
pub struct Approver<'a> {
    /// The verified name, for example of the user of the terminal.
    pub who: &'a str,
    /// The way of the answer: `terminal`, `elicitation`, `socket`, …
    pub how: &'a str,
}

/// How a call failed.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    /// The kind, for example `denied`.
    pub kind: &'a str,
    /// The message as the caller sees it.
    pub message: &'a str,
}

/// What a call used. What was not measured is left out of the record.
#[derive(Debug, Clone, Copy, Default)]
pub struct Resources {
    /// Wall time from entry to result.
    pub wall: Duration,
    /// Time that threads spent in the guest and in what it called, summed over its instances. Of
    /// its processor time this is an upper bound: the system may have run something else meanwhile.
    pub guest: Option<Duration>,
    /// Time that the call waited for an approval.
    pub waited: Option<Duration>,
    /// Most linear memory and tables of the guest, in bytes, summed over its instances.
    pub memory: Option<u64>,
    /// Bytes of the arguments as they came in; those of the canonical form unless given.
    pub bytes_in: Option<u64>,
    /// Bytes of the result; those of [`Entry::result`] unless given.
    pub bytes_out: Option<u64>,
}

impl<'a> Entry<'a> {
    /// A call that is over now, with nothing known but who called what.
    pub fn new(session: &'a str, tool: &'a str) -> Self {
        Self {
            time: SystemTime::now(),
            session,
            call_id: None,
            tool,
            origin: None,
            arguments: None,
            decision: None,
            approver: None,
            result: None,
            resources: Resources::default(),
            hops: (Vec::new(), 0),
            error: None,
        }
    }
}
