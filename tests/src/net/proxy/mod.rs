//! What lives here: an HTTP proxy and a SOCKS5 proxy that note which targets they were asked for.
//! Tests point a client at them.
//! It must not touch: any address outside loopback, whatever target is asked for.

mod http;
mod socks;
mod target;

pub use http::HttpProxy;
pub use socks::SocksProxy;
pub use target::{Target, Upstream};
