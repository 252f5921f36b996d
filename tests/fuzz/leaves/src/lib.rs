//! The parts of Toolgate that only parse and decide, under the paths that they have in the crate itself.
//! Called by the fuzz targets. The sources are those of the host, taken in by path: nothing is copied.
//! Must not touch: the engine. Building it with coverage counters would take minutes, and it has its own fuzzers.

#![allow(dead_code, unused_imports, reason = "the rest of the crate calls what stands idle here")]
#![allow(unreachable_pub, reason = "what the rest of the crate may see is not decided here")]

#[path = "../../../../host/src/call.rs"]
mod call;
#[path = "../../../../host/src/config/mod.rs"]
pub mod config;
pub mod gate;
#[path = "../../../../host/src/json.rs"]
pub mod json;
#[path = "../../../../host/src/places.rs"]
pub mod places;
#[path = "../../../../host/src/scope/mod.rs"]
pub mod scope;
#[path = "../../../../host/src/suggest.rs"]
mod suggest;

pub use config::Config;
pub use gate::Mode;
