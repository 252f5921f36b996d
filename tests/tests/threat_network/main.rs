//! The threat rows of the network: hostile guests against the sandbox, while the gate lets everything in scope pass.
//! Run by `cargo test`; each test carries the id of its row. Most run in a network namespace of their own.
//! Must not touch: any network but loopback and such namespaces; what needs something that is not there says so.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod addresses;
mod asking;
mod everywhere;
mod floods;
mod imports;
mod javascript;
mod lookups;
mod names;
mod namespace;
mod numbers;
mod own_requests;
mod packets;
mod parsing;
mod redirects;
mod rows;
mod smuggling;
mod spellings;
mod stage;
mod tricky;
mod urls;

/// Says that a part of a row was not tested here. Not by a macro: those are captured.
fn left_out(what: &str, why: &str) {
    use std::io::Write;
    let text = format!("note: {what}: left out, since {why}\n");
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}
