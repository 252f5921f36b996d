//! What lives here: a guest that requests and sends whatever a test tells it, granted or not, and tells what came back.
//! What may call it: the host, in tests of the sandbox.
//! What it must not touch: the helpers of the SDK for requests and channels; they would hide what the host answers.

mod channel;
mod fetch;
mod hold;
mod http;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Outcomes that are listed; more of them are only counted, as the host bounds results.
const LISTED: usize = 16;

/// Bytes of a body that are shown.
const SHOWN: usize = 256;

/// Bytes of a header's value that are shown: enough for a location to follow.
const SHOWN_OF_HEADER: usize = 4096;

/// A header or trailer.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Header {
    /// Its name, which need not be one.
    pub(crate) name: String,
    /// Its value, which need not be one.
    pub(crate) value: String,
}

impl Header {
    fn shown((name, value): (String, Vec<u8>)) -> Self {
        Self {
            name,
            value: start(&value, SHOWN_OF_HEADER),
        }
    }
}

/// How several attempts ended.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Report<T> {
    /// The first of them.
    pub(crate) outcomes: Vec<T>,
    /// How often each ending came.
    pub(crate) counts: BTreeMap<String, u64>,
}

impl<T> Report<T> {
    fn new(all: impl IntoIterator<Item = T>, ending: impl Fn(&T) -> String) -> Self {
        let mut report = Self {
            outcomes: Vec::new(),
            counts: BTreeMap::new(),
        };
        for outcome in all {
            *report.counts.entry(ending(&outcome)).or_default() += 1;
            if report.outcomes.len() < LISTED {
                report.outcomes.push(outcome);
            }
        }
        report
    }
}

/// The start of a body.
fn shown(bytes: &[u8]) -> String {
    start(bytes, SHOWN)
}

/// The start of a text of any encoding.
fn start(bytes: &[u8], most: usize) -> String {
    String::from_utf8_lossy(bytes.get(..most).unwrap_or(bytes)).into_owned()
}

/// A name of the bindings (`Kind::NotFound(…)`) as `not_found`.
fn snake(debug: &str) -> String {
    let name = debug.split('(').next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

toolgate_plugin::export!(
    fetch::DialFetch,
    fetch::DialAny,
    channel::DialChannel,
    http::DialHttp,
    http::DialHttpUrl,
    hold::DialHold,
);
