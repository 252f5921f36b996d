//! What holds for every tree and every call, tried on trees that chance made.
//! Run by `cargo test`; a failure shows the smallest tree that it found.
//! Must not touch: anything outside temporary trees.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod limits;
mod payloads;
mod reading;
mod scope;
mod scratch;
mod snapshot;
mod trees;
mod writing;
