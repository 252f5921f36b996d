//! What lives here: real servers on loopback whose behaviour, honest or hostile, a test decides.
//! Tests and benches of this crate call it; each server runs on a thread of its own and ends when it is dropped.
//! It must not touch: any address outside loopback, or the code under test, which it knows only by its packets.

mod background;
mod blackhole;
mod canary;
mod dns;
mod hook_server;
mod http2;
mod peer;
mod proxy;
mod raw_server;
mod recorder;
mod request;
mod script;
mod script_server;
pub mod scripts;
mod service;
mod tls;
mod wire;

#[cfg(test)]
mod tests;

pub use blackhole::Blackhole;
pub use canary::{Observer, listen_canary};
pub use dns::{Answer, DnsServer, QueryType, Question, Record};
pub use hook_server::{HookAnswer, HookServer};
pub use http2::Http2Server;
pub use proxy::{HttpProxy, SocksProxy, Target, Upstream};
pub use raw_server::RawServer;
pub use recorder::{Connection, Recorder};
pub use request::Request;
pub use script::{ENDLESS_CAP, Script, Step};
pub use script_server::ScriptServer;
pub use tls::{Authority, Identity};
