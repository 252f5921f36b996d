//! What lives here: an HTTP/2 server over TLS whose answers are chosen by path.
//! Tests start it with an identity of their authority.
//! It must not touch: HTTP/1 framing tricks, which are scripts of a `ScriptServer`.

mod answers;
mod flow;
mod server;

pub use server::Http2Server;
