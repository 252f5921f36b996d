//! The open log, for those who record.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use super::log::Log;
use super::queue::{Pending, Queue, State};
use super::{AuditError, AuditOptions, Entry, OnFailure, Sync, key, render, writer};

/// Longest wait for the log to be opened, before the first call where `on_failure` is `stop`.
const OPENING: Duration = Duration::from_secs(6);
/// Longest wait for room in the queue. A flood of calls must not push records out, and a disk
/// that works makes room long before.
const ROOM: Duration = Duration::from_secs(1);
/// Longest wait of a call for its own record with `sync` `each`: a disk that has not answered by
/// then may never do so.
const SETTLING: Duration = Duration::from_secs(10);
/// Longest wait for the last records when the log is closed.
const CLOSING: Duration = Duration::from_secs(3);

/// An open audit log. Shared by reference; dropping it writes what waits, for up to 3 s.
///
/// What may have to wait has two forms: one for tasks, and one that blocks its thread.
pub struct Audit {
    queue: Arc<Queue>,
    host: String,
    options: AuditOptions,
    /// Taken when the thread starts, at the first record.
    unstarted: RwLock<Option<Log>>,
}

impl std::fmt::Debug for Audit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audit")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// What became of a record.
enum Entered {
    /// Counted as lost.
    Lost,
    /// There is no room now, and may be soon.
    Full(String),
    /// In the queue, under this ticket.
    Queued(u64),
}

impl Audit {
    /// Prepares a log. Nothing is touched before the first record.
    ///
    /// # Errors
    /// [`AuditError::Options`] for a value that cannot work, and [`AuditError::Writer`] if the system
    /// has no random name for the host.
    pub fn open(options: AuditOptions) -> Result<Self, AuditError> {
        options.config.validate().map_err(AuditError::Options)?;
        let host = match &options.host {
            Some(host) => host.clone(),
            None => {
                let mut bytes = [0; 8];
                key::fill(&mut bytes).map_err(|error| AuditError::Writer(error.to_string()))?;
                format!("{:016x}", u64::from_le_bytes(bytes))
            }
        };
        Ok(Self {
            queue: Arc::new(Queue::new()),
            unstarted: RwLock::new(Some(Log::new(options.clone(), host.clone()))),
            host,
            options,
        })
    }

    /// The name of this host in the records.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether a call may run: always, unless `on_failure` is `stop`. Takes less than a
    /// microsecond, except that the first time the log is opened.
    ///
    /// # Errors
    /// The log cannot be written, or its records wait for more than there is room for.
    pub async fn ready(&self) -> Result<(), AuditError> {
        if let Some(known) = self.known() {
            return known;
        }
        self.queue.until(OPENING, opened).await;
        self.known().unwrap_or_else(silent)
    }

    /// As [`Self::ready`], waiting on this thread.
    ///
    /// # Errors
    /// As [`Self::ready`].
    pub fn ready_blocking(&self) -> Result<(), AuditError> {
        if let Some(known) = self.known() {
            return known;
        }
        drop(self.queue.wait_until(self.queue.lock(), OPENING, opened));
        self.known().unwrap_or_else(silent)
    }

    /// Writes a record. Returns when it is queued; with `sync` `each`, when it is on the disk or
    /// could not be brought there. Where it cannot be kept, it is counted as lost: at once while
    /// the log cannot be written, otherwise if the queue stays full for a second.
    pub async fn record(&self, entry: &Entry<'_>) {
        let mut entered = self.enter(render::entry(entry, &self.host), true);
        if let Entered::Full(body) = entered {
            let waiting = Waiting { audit: self, body };
            let room = |state: &State| state.failure.is_some() || self.fits(state, &waiting.body);
            self.queue.until(ROOM, room).await;
            entered = waiting.enter();
        }
        if let Some(ticket) = self.awaited(&entered) {
            self.queue.until(SETTLING, |state| state.tried >= ticket).await;
        }
    }

    /// As [`Self::record`], waiting on this thread.
    pub fn record_blocking(&self, entry: &Entry<'_>) {
        let mut entered = self.enter(render::entry(entry, &self.host), true);
        if let Entered::Full(body) = entered {
            let room = |state: &State| state.failure.is_some() || self.fits(state, &body);
            drop(self.queue.wait_until(self.queue.lock(), ROOM, room));
            entered = self.enter(body, false);
        }
        if let Some(ticket) = self.awaited(&entered) {
            let settled = |state: &State| state.tried >= ticket;
            drop(self.queue.wait_until(self.queue.lock(), SETTLING, settled));
        }
    }

    /// Writes a record and waits for nothing: for calls that nobody waits for any more.
    pub fn leave(&self, entry: &Entry<'_>) {
        self.enter(render::entry(entry, &self.host), false);
    }

    /// Waits on this thread until everything recorded so far is written, for at most `most`.
    ///
    /// # Errors
    /// Why it is not.
    pub fn flush(&self, most: Duration) -> Result<(), AuditError> {
        let mut state = self.queue.lock();
        let last = state.given;
        if state.written < last {
            self.queue.hurry(&mut state);
        }
        let state = self.queue.wait_until(state, most, |state| state.written >= last);
        if state.written >= last {
            return Ok(());
        }
        Err(state
            .failure
            .clone()
            .unwrap_or(AuditError::Backlog { bytes: state.bytes }))
    }

    /// Records that this process could not keep and the log does not speak of yet.
    pub fn lost(&self) -> u64 {
        self.queue.lock().lost
    }

    /// Whether a call may run, unless the log is yet to be opened: then the writer is asked to.
    fn known(&self) -> Option<Result<(), AuditError>> {
        if self.options.config.on_failure == OnFailure::Continue {
            return Some(Ok(()));
        }
        if let Err(error) = self.start() {
            return Some(Err(error));
        }
        let mut state = self.queue.lock();
        if let Some(failure) = &state.failure {
            return Some(Err(failure.clone()));
        }
        if state.stopped {
            return Some(silent());
        }
        if !state.working {
            state.probe = true;
            self.queue.hurry(&mut state);
            return None;
        }
        if state.lost > 0 || state.bytes >= self.options.queue_bytes {
            return Some(Err(AuditError::Backlog { bytes: state.bytes }));
        }
        Some(Ok(()))
    }

    /// Puts a record into the queue. `patient`: its caller would wait for room.
    fn enter(&self, body: String, patient: bool) -> Entered {
        let started = self.start();
        let mut state = self.queue.lock();
        let fits = self.fits(&state, &body);
        if !fits && patient && state.failure.is_none() && !state.stopped && started.is_ok() {
            self.queue.hurry(&mut state);
            return Entered::Full(body);
        }
        if !fits || state.stopped || started.is_err() {
            state.lost += 1;
            self.queue.wake(&mut state);
            return Entered::Lost;
        }
        state.given += 1;
        let ticket = state.given;
        state.bytes += body.len();
        state.records.push_back(Pending { ticket, body });
        if self.options.config.sync == Sync::None {
            self.queue.wake(&mut state);
        } else {
            self.queue.hurry(&mut state);
        }
        Entered::Queued(ticket)
    }

    fn fits(&self, state: &State, body: &str) -> bool {
        state.bytes + body.len() <= self.options.queue_bytes
    }

    /// The ticket that a caller waits for.
    fn awaited(&self, entered: &Entered) -> Option<u64> {
        match entered {
            Entered::Queued(ticket) if self.options.config.sync == Sync::Each => Some(*ticket),
            _ => None,
        }
    }

    fn start(&self) -> Result<(), AuditError> {
        if self.unstarted.read().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Ok(());
        }
        let mut unstarted = self.unstarted.write().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = unstarted.take() else {
            return Ok(());
        };
        let started = writer::start(&self.queue, log, self.host.clone());
        match &started {
            Ok(()) => self.queue.lock().started = true,
            Err(error) => {
                tracing::error!(target: "toolgate::audit", %error, "there is no audit log");
                // The next record tries again.
                *unstarted = Some(Log::new(self.options.clone(), self.host.clone()));
            }
        }
        started
    }
}

/// A record that waits for room. It is not forgotten when nobody waits with it any more.
struct Waiting<'a> {
    audit: &'a Audit,
    body: String,
}

impl Waiting<'_> {
    fn enter(mut self) -> Entered {
        self.audit.enter(std::mem::take(&mut self.body), false)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if !self.body.is_empty() {
            self.audit.enter(std::mem::take(&mut self.body), false);
        }
    }
}

impl Drop for Audit {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        if !state.started {
            return;
        }
        self.queue.close(&mut state);
        let state = self.queue.wait_until(state, CLOSING, |state| state.stopped);
        if !state.stopped {
            tracing::error!(target: "toolgate::audit", records = state.records.len(), "audit records may be lost: the disk does not answer");
        }
    }
}

fn opened(state: &State) -> bool {
    state.working || state.failure.is_some()
}

fn silent() -> Result<(), AuditError> {
    Err(AuditError::Writer("it does not answer".to_owned()))
}
