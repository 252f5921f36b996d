//! Tools against programs and code that do the same another way, and a search by several instances against one by a single instance.
//! Run by `cargo test`; the sources of cargo's registry are searched as well where there are any.
//! Must not touch: the trees that are searched, except the copies that it makes itself.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod budget;
mod cancel;
mod cut;
mod glob;
mod grep;
mod hosts;
mod reference;
mod ripgrep;
mod trees;
