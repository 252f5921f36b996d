//! A request as a test writes it.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::Header;

/// Arguments of `dial_http` and `dial_http_url`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Args {
    /// Where scheme, authority and path come from; granted to `dial_http_url` alone.
    pub(crate) url: Option<String>,
    /// The method; `GET` by default.
    pub(crate) method: Option<String>,
    /// The scheme, instead of that of `url`.
    pub(crate) scheme: Option<String>,
    /// The authority, instead of that of `url`.
    pub(crate) authority: Option<String>,
    /// Path and query, instead of those of `url`.
    pub(crate) path: Option<String>,
    /// Any headers.
    pub(crate) headers: Vec<Header>,
    /// The body; without it, the request has none.
    pub(crate) body: Option<String>,
    /// How often the body is repeated.
    pub(crate) body_repeat: Option<u64>,
    /// Any trailers.
    pub(crate) trailers: Vec<Header>,
    /// Drops the body instead of finishing it.
    pub(crate) unfinished: bool,
    /// Milliseconds.
    pub(crate) connect_timeout_ms: Option<u64>,
    /// Milliseconds.
    pub(crate) first_byte_timeout_ms: Option<u64>,
    /// Milliseconds.
    pub(crate) between_bytes_timeout_ms: Option<u64>,
    /// Redirects to follow; none by default.
    pub(crate) follow: Option<u32>,
    /// Bytes of the response's body to read; 1 MiB by default.
    pub(crate) read: Option<u64>,
    /// Requests that are open at the same time.
    pub(crate) parallel: Option<u32>,
}
