//! Streamable HTTP: listening, limits on connections and sessions, the endpoint.
//! Called by `serve_http`; hands every message to the SDK's service.
//! It must not touch: what a message means, except to refuse it early.

mod connection;
mod endpoint;
mod listen;

pub(super) use connection::Connection;
pub use listen::{HttpOptions, HttpServer, serve_http};
