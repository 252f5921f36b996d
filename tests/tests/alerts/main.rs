//! Alerts over real hosts and real receivers: what arrives, what never leaves, and who may send how often.
//! Run by `make test`; the rows of `alert.json` are data, everything that needs more than one row can say is a test.
//! Must not touch: the insides of the host. What the receivers saw counts more than what the host answers.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod command_line;
mod delivery;
mod described;
mod gate;
mod guests;
mod log;
mod operator;
mod rate;
mod reach;
mod rows;
mod secrets;
mod stage;
mod table;
