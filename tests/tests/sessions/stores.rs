//! Stores that fail, or that watch who uses them when.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use toolgate::session::store::{Page, PayloadInfo, SessionStore, SqliteStore, StoreError, Versioned};

/// How long a reader waits for another one.
const PATIENCE: Duration = Duration::from_secs(20);

/// A store in memory with one thing about it that is special.
pub(crate) struct Special {
    store: SqliteStore,
    what: What,
}

enum What {
    /// Payloads cannot be put.
    Full,
    /// Payloads cannot be read.
    Unreadable,
    /// A change takes its time, and is counted.
    Slow(Overlap),
    /// Readers of payloads wait until so many have come.
    Meeting(Meeting),
}

/// How many were inside at the same time.
#[derive(Default)]
struct Overlap {
    inside: AtomicUsize,
    most: AtomicUsize,
}

struct Meeting {
    expected: usize,
    met: Mutex<usize>,
    arrival: Condvar,
}

impl Special {
    fn new(what: What) -> Self {
        let store = SqliteStore::in_memory().unwrap();
        Self { store, what }
    }

    /// Without room for payloads.
    pub(crate) fn full() -> Self {
        Self::new(What::Full)
    }

    /// Whose payloads cannot be read.
    pub(crate) fn unreadable() -> Self {
        Self::new(What::Unreadable)
    }

    /// In which a change takes 30 ms.
    pub(crate) fn slow() -> Self {
        Self::new(What::Slow(Overlap::default()))
    }

    /// In which a payload is read when `expected` calls read one at the same time.
    pub(crate) fn meeting(expected: usize) -> Self {
        Self::new(What::Meeting(Meeting {
            expected,
            met: Mutex::new(0),
            arrival: Condvar::new(),
        }))
    }

    /// The most changes that were under way at the same time.
    pub(crate) fn most_at_once(&self) -> usize {
        match &self.what {
            What::Slow(overlap) => overlap.most.load(Ordering::SeqCst),
            _ => 0,
        }
    }
}

impl Overlap {
    fn pass(&self) {
        let inside = self.inside.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(inside, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(30));
        self.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Meeting {
    fn join(&self) -> Result<(), StoreError> {
        let mut met = self.met.lock().unwrap();
        *met += 1;
        self.arrival.notify_all();
        let waited = self
            .arrival
            .wait_timeout_while(met, PATIENCE, |met| *met < self.expected);
        if waited.unwrap().1.timed_out() {
            return Err(StoreError::Unavailable("nobody else came".to_owned()));
        }
        Ok(())
    }
}

impl SessionStore for Special {
    fn get(&self, session: &str, space: &str, key: &str) -> Result<Option<Versioned>, StoreError> {
        self.store.get(session, space, key)
    }

    fn put(&self, session: &str, space: &str, key: &str, value: &[u8], expected: u64) -> Result<u64, StoreError> {
        if let What::Slow(overlap) = &self.what {
            overlap.pass();
        }
        self.store.put(session, space, key, value, expected)
    }

    fn put_payload(&self, session: &str, call_id: &str, tool: &str, raw: &str) -> Result<(), StoreError> {
        if let What::Full = self.what {
            return Err(StoreError::Unavailable("the disk is full".to_owned()));
        }
        self.store.put_payload(session, call_id, tool, raw)
    }

    fn payload(&self, session: &str, call_id: &str, offset: u64, limit: u64) -> Result<Option<Page>, StoreError> {
        match &self.what {
            What::Unreadable => return Err(StoreError::Unavailable("the disk is gone".to_owned())),
            What::Meeting(meeting) => meeting.join()?,
            What::Full | What::Slow(_) => {}
        }
        self.store.payload(session, call_id, offset, limit)
    }

    fn payloads(&self, session: &str) -> Result<Vec<PayloadInfo>, StoreError> {
        self.store.payloads(session)
    }

    fn end_session(&self, session: &str) -> Result<(), StoreError> {
        self.store.end_session(session)
    }

    fn sweep(&self, older_than: Duration) -> Result<u64, StoreError> {
        self.store.sweep(older_than)
    }
}
