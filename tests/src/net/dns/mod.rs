//! What lives here: a DNS server over UDP and TCP whose answers a test decides.
//! Tests start it and point a resolver at its address.
//! It must not touch: other name servers; it knows no name by itself.

mod answer;
mod server;
mod wire;

pub use answer::{Answer, QueryType, Question, Record};
pub use server::DnsServer;
