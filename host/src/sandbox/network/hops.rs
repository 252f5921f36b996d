//! What a call really sent, for the audit log.

use std::sync::{Mutex, PoisonError};

use crate::audit::Hop;

/// Requests of one call that are recorded one by one; of a call that makes more, the rest is counted.
const RECORDED: usize = 8;

/// The requests of one call, readable at any time.
#[derive(Debug, Default)]
pub(crate) struct Hops {
    made: Mutex<(Vec<Hop>, u64)>,
}

impl Hops {
    pub(super) fn push(&self, hop: Hop) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.0.len() < RECORDED {
            made.0.push(hop);
        }
        made.1 += 1;
    }

    /// The first of them, and how many there were.
    pub(crate) fn taken(&self) -> (Vec<Hop>, u64) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
