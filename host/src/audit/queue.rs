//! Records on their way to the disk.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::AuditError;

/// Most bytes that are taken out at once.
const TAKE: usize = 256 * 1024;

/// A rendered record.
pub(super) struct Pending {
    /// Rises by one with each record of this process.
    pub(super) ticket: u64,
    pub(super) body: String,
}

/// Shared by those who record and the thread that writes.
pub(super) struct Queue {
    state: Mutex<State>,
    /// For the writer: there is something to do.
    work: Condvar,
    /// For threads that wait for the writer: something was done.
    done: Condvar,
    /// The same for tasks.
    changed: Notify,
}

/// What both sides know.
#[derive(Default)]
pub(super) struct State {
    pub(super) records: VecDeque<Pending>,
    /// Bytes of the records that wait or are being written.
    pub(super) bytes: usize,
    /// Records for which there was no room since the log last said so.
    pub(super) lost: u64,
    /// The last ticket given.
    pub(super) given: u64,
    /// The last ticket whose record was written, or tried.
    pub(super) tried: u64,
    /// The last ticket whose record was written.
    pub(super) written: u64,
    /// Whether the log was opened and its last write succeeded.
    pub(super) working: bool,
    /// Why the last write failed.
    pub(super) failure: Option<AuditError>,
    /// Whether somebody asked to open the log without a record.
    pub(super) probe: bool,
    /// Whether somebody waits for the writer.
    pub(super) urgent: bool,
    /// Whether the writer waits for records.
    pub(super) idle: bool,
    pub(super) closing: bool,
    pub(super) started: bool,
    pub(super) stopped: bool,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::default(),
            work: Condvar::new(),
            done: Condvar::new(),
            changed: Notify::new(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the writer if it waits for records: once, since it costs a system call.
    pub(super) fn wake(&self, state: &mut State) {
        if std::mem::take(&mut state.idle) {
            self.work.notify_one();
        }
    }

    /// Asks the writer to finish, whatever it waits for.
    pub(super) fn close(&self, state: &mut State) {
        state.closing = true;
        self.work.notify_one();
    }

    pub(super) fn announce(&self) {
        self.done.notify_all();
        self.changed.notify_waiters();
    }

    /// Waits for work.
    pub(super) fn wait_for_work<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.idle = true;
        let mut state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.idle = false;
        state
    }

    /// Asks the writer not to linger: somebody waits for it.
    pub(super) fn hurry(&self, state: &mut State) {
        state.urgent = true;
        state.idle = false;
        self.work.notify_one();
    }

    /// Waits, and is not woken by records that nobody waits for.
    pub(super) fn linger<'a>(&self, state: MutexGuard<'a, State>, most: Duration) -> MutexGuard<'a, State> {
        let waiting = |state: &mut State| !state.closing && !state.urgent && !state.probe;
        let lingered = self.work.wait_timeout_while(state, most, waiting);
        lingered.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits, and is woken by nothing but the end.
    pub(super) fn pause<'a>(&self, state: MutexGuard<'a, State>, most: Duration) -> MutexGuard<'a, State> {
        let paused = self.work.wait_timeout_while(state, most, |state| !state.closing);
        paused.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until `until` is true, the writer is gone, or `most` has passed.
    pub(super) fn wait_until<'a>(
        &self,
        state: MutexGuard<'a, State>,
        most: Duration,
        mut until: impl FnMut(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        let waited = self
            .done
            .wait_timeout_while(state, most, |state| !state.stopped && !until(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Queue {
    /// As [`Self::wait_until`], for a task.
    pub(super) async fn until(&self, most: Duration, until: impl Fn(&State) -> bool) {
        let end = Instant::now() + most;
        loop {
            // Before the look, so that nothing announced in between is missed.
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            {
                let state = self.lock();
                if state.stopped || until(&state) {
                    return;
                }
            }
            if timeout_at(end, changed).await.is_err() {
                return;
            }
        }
    }
}

impl State {
    /// Whether the writer may wait.
    pub(super) fn has_no_work(&self) -> bool {
        self.records.is_empty() && self.lost == 0 && self.failure.is_none() && !self.closing && !self.probe
    }

    /// The records to write next.
    pub(super) fn take(&mut self) -> Vec<Pending> {
        let mut bytes = 0;
        let count = self
            .records
            .iter()
            .take_while(|pending| {
                let fits = bytes < TAKE;
                bytes += pending.body.len();
                fits
            })
            .count();
        self.records.drain(..count).collect()
    }
}
