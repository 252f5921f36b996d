//! The one way out to the network: requests of tools, of plugins and of alerts go through this client.
//! Called by the capabilities `fetch`, `channels` and `wasi:http`, with what the call was granted.
//! Must not touch: the decision whether a call may run. It enforces the URL scope on the address really dialled.

mod addresses;
mod alerts;
mod body;
mod bounds;
mod channels;
mod connection;
mod deadline;
mod decoder;
mod dial;
mod egress;
mod failure;
mod fetch;
mod hops;
mod http;
mod live;
mod meter;
mod pool;
mod proxy;
mod raw;
mod redirect;
mod request;
mod resolve;
mod rules;
mod threads;
mod tls;
mod tunnel;
mod unanswered;

pub(crate) use alerts::Alerts;
pub(crate) use bounds::NetworkBounds;
pub use bounds::Variables;
pub(super) use channels::CallChannels;
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub use fetch::Answer;
pub(super) use fetch::CallUrls;
pub(crate) use hops::Hops;
pub(super) use http::{HttpState, link as link_http};
pub(crate) use pool::Connections;
pub use resolve::{DnsResolver, Resolve, ResolveError, Resolved};
pub(super) use rules::DenyRules;
pub(crate) use threads::Egress;
