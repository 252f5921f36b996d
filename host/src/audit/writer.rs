//! The thread that writes, so that no call waits for the disk.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::AuditError;
use super::log::Log;
use super::queue::{Pending, Queue};
use super::render;

/// How long records gather before they are written: waking the writer for each of them would
/// cost its call some 5 µs.
const GATHER: Duration = Duration::from_millis(1);
/// Time between two attempts while the log cannot be written.
const RETRY: Duration = Duration::from_secs(1);
/// Time between two warnings of the same kind.
const WARN: Duration = Duration::from_secs(60);

/// Says that the thread is over, however it ended.
struct Stopped(Arc<Queue>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.announce();
    }
}

/// Starts the thread. It ends when the queue is closing and empty, or cannot be emptied.
///
/// # Errors
/// There can be no further thread.
pub(super) fn start(queue: &Arc<Queue>, log: Log, host: String) -> Result<(), AuditError> {
    let queue = Arc::clone(queue);
    std::thread::Builder::new()
        .name("toolgate-audit".to_owned())
        .spawn(move || {
            let stopped = Stopped(queue);
            Writer {
                queue: &stopped.0,
                log,
                host,
                warned: None,
            }
            .run();
        })
        .map_err(|error| AuditError::Writer(error.to_string()))?;
    Ok(())
}

struct Writer<'a> {
    queue: &'a Queue,
    log: Log,
    host: String,
    warned: Option<Instant>,
}

impl Writer<'_> {
    fn run(&mut self) {
        // The first record after a while is likely to be the only one: it is written at once.
        let mut gather = false;
        loop {
            let mut state = self.queue.lock();
            if state.failure.is_some() && !state.closing {
                state = self.queue.pause(state, RETRY);
            } else if gather {
                state = self.queue.linger(state, GATHER);
            }
            while state.has_no_work() {
                state = self.queue.wait_for_work(state);
            }
            let finished = state.records.is_empty() && state.lost == 0;
            if state.closing && finished {
                return;
            }
            (state.probe, state.urgent) = (false, false);
            let (batch, lost, reason) = (state.take(), state.lost, state.failure.clone());
            drop(state);
            gather = true;
            if !self.write(batch, lost, reason.as_ref()) && self.queue.lock().closing {
                let state = self.queue.lock();
                let records = state.records.len() as u64 + state.lost;
                tracing::error!(target: "toolgate::audit", records, "audit records are lost: the log cannot be written");
                return;
            }
        }
    }

    /// Writes a batch and, before it, how many records were lost. What could not be written goes back.
    fn write(&mut self, mut batch: Vec<Pending>, lost: u64, reason: Option<&AuditError>) -> bool {
        let notice = (lost > 0).then(|| {
            let mut body = render::event("lost", &self.host);
            body.raw("count", lost);
            let reason = reason.map_or_else(|| "too many records at once".to_owned(), ToString::to_string);
            body.text("reason", &reason, 512);
            body.out
        });
        let bodies = notice
            .iter()
            .map(String::as_str)
            .chain(batch.iter().map(|pending| pending.body.as_str()));
        let appended = self.log.append(bodies);
        let told = notice.is_some() && appended.records > 0;
        let records = appended.records - usize::from(told);

        let mut state = self.queue.lock();
        if told {
            state.lost -= lost;
        }
        state.tried = batch.last().map_or(state.tried, |last| last.ticket.max(state.tried));
        let unwritten = batch.split_off(records);
        for pending in &batch {
            state.bytes -= pending.body.len();
            state.written = pending.ticket;
        }
        for pending in unwritten.into_iter().rev() {
            state.records.push_front(pending);
        }
        let succeeded = appended.outcome.is_ok();
        state.working = succeeded;
        state.failure = appended.outcome.err();
        let failure = state.failure.clone();
        drop(state);
        self.queue.announce();
        if let Some(error) = failure {
            self.warn(&error);
        } else if self.warned.take().is_some() {
            tracing::warn!(target: "toolgate::audit", "the audit log can be written again");
        }
        succeeded
    }

    fn warn(&mut self, error: &AuditError) {
        if self.warned.is_none_or(|warned| warned.elapsed() >= WARN) {
            self.warned = Some(Instant::now());
            tracing::warn!(target: "toolgate::audit", %error, "audit records wait in memory: the log cannot be written");
        }
    }
}
