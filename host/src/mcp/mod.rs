//! The Model Context Protocol: serving the tools of a `Host` to MCP clients.
//! The command line and embedding programs call it; it calls only `Host` and `Session`.
//! It must not touch: gate, sandbox, scope; what a call may do is decided behind `Session::call`.

mod server;
pub mod visible;

pub use server::{HttpOptions, HttpServer, ServeError, serve_http, serve_stdio};
