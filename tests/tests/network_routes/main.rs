//! Where requests go: `fetch_url` through real hosts to servers on loopback, and what those servers saw.
//! Run by `make test`; hosts are reached through the public interface, or as the real binary with its environment.
//! Must not touch: the insides of the host, or servers elsewhere; addresses that must not be reached have canaries.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod addresses;
mod audited;
mod bundles;
mod cancelled;
mod carriers;
mod credentials;
mod downgrade;
mod environment;
mod explained;
mod hops;
mod local_names;
mod names;
mod origins;
mod pool;
mod prompts;
mod proxy_limits;
mod rebinding;
mod redirects;
mod reused;
mod silence;
mod stage;
mod targets;
mod wire;
