//! An MCP server over stdio and streamable HTTP, for clients of both protocol generations.
//! Called through `crate::mcp`; every tool call goes through one `Session` per MCP session.
//! It must not touch: files, processes, policy. The only descriptors it owns are its channel's.

mod approval;
mod channel;
mod handler;
mod http;
mod long_lines;
mod opening;
mod reply;
mod resources;
mod stdio;
mod tools;

pub use http::{HttpOptions, HttpServer, serve_http};
pub use stdio::serve_stdio;

/// The longest message accepted, in bytes: one line on stdio, one body over
/// HTTP. Room for a `write_file` of 2 MiB whose text needs escaping, and little
/// enough that a client cannot make the host buffer much (rows M01 and M02).
const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// A server that could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The standard streams cannot be taken over for the protocol.
    #[error("the standard streams cannot be used for the protocol: {0}")]
    Channel(#[source] std::io::Error),
    /// The client did not open the connection as the protocol demands.
    #[error("the client did not start an MCP session: {0}")]
    Opening(String),
    /// The address is not a loopback address and nobody asked for that.
    #[error(
        "{address} can be reached from other machines, and this server does not ask who is calling; \
         use a loopback address such as 127.0.0.1:{port}, or allow remote clients explicitly",
        port = address.port()
    )]
    NotLoopback {
        /// The address asked for.
        address: std::net::SocketAddr,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {reason}")]
    Bind {
        /// The address asked for.
        address: std::net::SocketAddr,
        /// What the system said.
        #[source]
        reason: std::io::Error,
    },
    /// The running server failed.
    #[error("the server stopped: {0}")]
    Stopped(String),
}
