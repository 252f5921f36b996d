//! The gate over real hosts: grants, foreign sets of tools, explanations, many sessions at once.
//! Run by `make test`; rows of tables are data under `tests/vectors/`.
//! Must not know the insides of the gate: what it says and whom it asks is all that counts.

#![allow(clippy::unwrap_used, reason = "what cannot be set up must fail its test")]

mod explain;
mod grants;
mod many_sessions;
mod operator;
mod timeout;
mod toolset;
