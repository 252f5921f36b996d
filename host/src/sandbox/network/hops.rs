//! What a call really sent, for the audit log.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::egress::recorded;
use super::failure::{Class, Failure};
use crate::audit::Hop;
use crate::scope::web::WebUrl;

/// Requests of one call that are recorded one by one; of a call that makes more, the rest is counted.
const RECORDED: usize = 8;

/// Lookups of names of one call.
const LOOKUPS: u32 = 64;

/// The requests of one call, readable at any time.
#[derive(Debug, Default)]
pub(crate) struct Hops {
    made: Mutex<(Vec<Hop>, u64)>,
    lookups: AtomicU32,
}

/// Where a request stands in the record of its call, if it is recorded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place(Option<usize>);

impl Hops {
    /// Notes a request that was stopped before anything was looked up or dialled.
    pub(super) fn stopped(&self, method: &str, url: &WebUrl, failure: &Failure) {
        self.begin(Hop {
            method: method.to_owned(),
            url: recorded(url),
            address: None,
            status: None,
            failure: Some(failure.class.as_str()),
            content_type: None,
        });
    }

    /// Counts a lookup of a name.
    ///
    /// # Errors
    /// The call has made as many as one may: each of them tells a name server something.
    pub(super) fn look_up(&self, name: &str) -> Result<(), Failure> {
        if self.lookups.fetch_add(1, Ordering::Relaxed) < LOOKUPS {
            return Ok(());
        }
        let text = format!("{name} is not looked up: the call has looked up {LOOKUPS} names, and more is not allowed");
        Err(Failure::new(Class::Limit, text))
    }

    /// Notes a request before it is made: its call can be given up at any moment, and what was sent
    /// by then is known all the same.
    pub(super) fn begin(&self, hop: Hop) -> Place {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (made.0.len() < RECORDED).then_some(made.0.len());
        if place.is_some() {
            made.0.push(hop);
        }
        made.1 += 1;
        Place(place)
    }

    /// Notes what has become of it.
    pub(super) fn update(&self, place: Place, change: impl FnOnce(&mut Hop)) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hop) = place.0.and_then(|number| made.0.get_mut(number)) {
            change(hop);
        }
    }

    /// The first of them, and how many there were.
    pub(crate) fn taken(&self) -> (Vec<Hop>, u64) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
