//! The configuration as the operator meets it: flags, `check`, `trust`, and changes while a server runs.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod check;
mod flags;
mod project;
mod reload;
mod schema;
mod stage;
mod trust;
