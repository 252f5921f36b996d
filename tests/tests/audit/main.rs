//! The audit log of real hosts and real calls: what is written, what is found when it is changed, and what happens
//! when it cannot be written. Run by `make test`; hosts are reached through the public interface only, or as processes.
//! Must not touch: the log but by what a test is about; what needs root says so and passes.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod approvals;
mod calls;
mod command;
mod full;
mod load;
mod processes;
mod secrets;
mod stage;
mod tampering;
