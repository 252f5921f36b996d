//! What a call sent to another machine.

use std::net::SocketAddr;

/// One request as it left this host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// The method.
    pub method: String,
    /// Scheme, host, port and path. A query is left out, since it may hold anything; for a target
    /// of alerts the path as well, which is often its secret.
    pub url: String,
    /// The address that was dialled, with its port; absent if no connection came about.
    pub address: Option<SocketAddr>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// Why there was none: `denied`, `dns`, `connect`, `tls`, `timeout`, …; absent, too, where the
    /// call was given up before either was known.
    pub failure: Option<&'static str>,
    /// The content type of the answer.
    pub content_type: Option<String>,
}
