//! What is known of a call so far, and its way into the audit log however the call ends.
//! The only place that knows how gate and sandbox say what the log wants to hear.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::audit::{AuditError, Decided, Entry, Failure, Resources};
use crate::call::{CallError, CallResult, ErrorKind};
use crate::gate::{Approval, Approver, Decider, Passed};
use crate::host::Inner;
use crate::sandbox::{Hops, Source, Usage};

/// A call on its way. If it is dropped before it is written, the call was cancelled, and the log says so.
pub(super) struct Record<'a> {
    host: &'a Inner,
    session: &'a str,
    started: Instant,
    written: bool,
    /// The tool as asked for.
    pub(super) tool: String,
    /// The caller's name for the call.
    pub(super) id: Option<String>,
    /// The component that holds the tool.
    pub(super) component: Option<usize>,
    /// In canonical form as soon as there is one.
    pub(super) arguments: Value,
    /// How long the gate waited.
    pub(super) wait: Wait,
    /// What the gate said.
    pub(super) verdict: Option<Verdict>,
    /// What the guest used.
    pub(super) usage: Arc<Usage>,
    /// What it requested.
    pub(super) hops: Arc<Hops>,
}

/// The gate's decision, as far as the log keeps it.
pub(super) struct Verdict {
    allowed: bool,
    /// The id of the rule, and what it says.
    by: Option<String>,
    origin: Option<String>,
    approver: Option<Approver>,
}

impl Verdict {
    /// Of what the gate handed on, or of its refusal. What it does not decide, such as a path that
    /// names nothing, is no verdict.
    pub(super) fn of(decision: &Result<Approval, CallError>) -> Option<Self> {
        Self::over(
            decision
                .as_ref()
                .map(|approval| (&approval.decision, approval.approver.as_ref())),
        )
    }

    /// The same of a request without a definition.
    pub(super) fn of_request(decision: &Result<Passed, CallError>) -> Option<Self> {
        Self::over(
            decision
                .as_ref()
                .map(|passed| (&passed.decision, passed.approver.as_ref())),
        )
    }

    fn over(decision: Result<(&Decider, Option<&Approver>), &CallError>) -> Option<Self> {
        let (allowed, decider, approver) = match decision {
            Ok((decider, approver)) => (true, Some(decider), approver),
            Err(error) if error.kind == ErrorKind::Denied => (false, error.rule.as_deref(), None),
            Err(_) => return None,
        };
        Some(Self {
            allowed,
            by: decider.map(|decider| format!("{}: {}", decider.id, decider.text)),
            origin: decider.and_then(|decider| decider.origin.clone()),
            approver: approver.cloned(),
        })
    }
}

impl<'a> Record<'a> {
    pub(super) fn new(host: &'a Inner, session: &'a str, tool: String, arguments: Value, id: Option<String>) -> Self {
        Self {
            host,
            session,
            started: Instant::now(),
            written: false,
            tool,
            id,
            component: None,
            arguments,
            wait: Wait::default(),
            verdict: None,
            usage: Arc::default(),
            hops: Arc::default(),
        }
    }

    /// Whether the call may run, as far as the log is concerned.
    ///
    /// # Errors
    /// `unavailable`, if it cannot be recorded and no call may run without that.
    pub(super) async fn ready(&self) -> Result<(), CallError> {
        match &self.host.audit {
            Some(audit) => audit.ready().await.map_err(|error| unrecorded(&self.tool, &error)),
            None => Ok(()),
        }
    }

    /// Writes down how the call ended.
    pub(super) async fn write(mut self, outcome: &Result<CallResult, CallError>) {
        self.written = true;
        if let Some(audit) = &self.host.audit {
            audit.record(&self.entry(outcome.as_ref())).await;
        }
        self.trace(outcome.as_ref().map_or_else(|error| error.kind.as_str(), |_| "ok"));
    }

    fn entry<'b>(&'b self, outcome: Result<&'b CallResult, &'b CallError>) -> Entry<'b> {
        let result = outcome.ok();
        let source = self.component.map(|component| self.host.plugins[component].source());
        Entry {
            call_id: self.id.as_deref().or_else(|| result?.payload.as_deref()),
            origin: source.map(|source| match source {
                Source::Builtin(_) => "built-in",
                // A name that is not UTF-8 is nothing that a line could hold.
                Source::File(path) => path.to_str().unwrap_or("a plugin"),
            }),
            arguments: Some(&self.arguments),
            decision: self.verdict.as_ref().map(|verdict| Decided {
                allowed: verdict.allowed,
                by: verdict.by.as_deref(),
                origin: verdict.origin.as_deref(),
            }),
            approver: self.verdict.as_ref().and_then(|verdict| {
                let approver = verdict.approver.as_ref()?;
                Some(crate::audit::Approver {
                    who: &approver.who,
                    how: &approver.how,
                })
            }),
            result: result.map(|result| result.text.as_str()),
            resources: Resources {
                wall: self.started.elapsed(),
                guest: self.usage.busy(),
                waited: self.wait.length(),
                memory: self.usage.peak_memory(),
                ..Resources::default()
            },
            hops: self.hops.taken(),
            error: outcome.err().map(|error| Failure {
                kind: error.kind.as_str(),
                message: &error.message,
            }),
            ..Entry::new(self.session, &self.tool)
        }
    }

    fn trace(&self, outcome: &str) {
        // Names come from callers; the debug form escapes control characters.
        tracing::info!(
            target: "toolgate::audit",
            session = ?self.session,
            tool = ?self.tool,
            decided_by = self.verdict.as_ref().and_then(|verdict| verdict.by.as_deref()),
            outcome,
            micros = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            "call"
        );
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if self.written {
            return;
        }
        let error = if std::thread::panicking() {
            CallError::new(ErrorKind::Failed, "internal error of the host")
        } else {
            CallError::new(ErrorKind::Cancelled, "nobody waited for the call any more")
        };
        if let Some(audit) = &self.host.audit {
            audit.leave(&self.entry(Err(&error)));
        }
        self.trace(error.kind.as_str());
    }
}

/// How long the gate waits: only for the operator, everything else it does at once.
#[derive(Default)]
pub(super) struct Wait {
    since: Option<Instant>,
    until: Option<Instant>,
}

impl Wait {
    /// Does the gate's work.
    pub(super) async fn of<F: Future>(&mut self, gate: F) -> F::Output {
        let mut gate = pin!(gate);
        poll_fn(|context| {
            let polled = gate.as_mut().poll(context);
            match &polled {
                Poll::Pending => self.since = self.since.or_else(|| Some(Instant::now())),
                Poll::Ready(_) => self.until = self.since.map(|_| Instant::now()),
            }
            polled
        })
        .await
    }

    fn length(&self) -> Option<Duration> {
        let until = self.until.unwrap_or_else(Instant::now);
        self.since.map(|since| until.duration_since(since))
    }
}

fn unrecorded(tool: &str, error: &AuditError) -> CallError {
    CallError::new(
        ErrorKind::Unavailable,
        format!(
            "{tool}: not run, because the audit log cannot take its record: {error}. Calls run again when the log can be \
             written; an operator can let them run without (audit.on_failure = \"continue\")."
        ),
    )
}
