//! Threat rows G01–G30: plugins that were written to do harm, in a host whose gate lets everything pass.
//! Each test is named after its row. The guests are forged here (`forge.rs`) or built from `tests/guests`.
//! They reach the host through its public interface only, as an embedder would.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(
    clippy::await_holding_lock,
    reason = "each test has a thread and a runtime of its own"
)]

mod binary;
mod bombs;
mod boundaries;
mod cleanup;
mod definition;
mod faults;
mod features;
mod forge;
mod handles;
mod imports;
mod keeping;
mod kit;
mod loading;
mod memory;
mod metadata;
mod neighbours;
mod output;
mod panics;
mod results;
mod reuse;
mod stage;
mod std_files;
mod time;
mod values;

use toolgate_tests::support::measure;
