//! Sessions: what they keep between calls, when results become digests, and which calls wait for which.
//! Run by `make test`; the rows of `digest-sessions.json` are data, everything that needs more than one session is a test.
//! Hosts are reached through the public interface only, as an embedder would, or as processes.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod digest;
mod keeping;
mod mutation;
mod payloads;
mod plan_rows;
mod plans;
mod processes;
mod rows;
mod stage;
mod stores;
mod todo;
