//! What end-to-end tests share: the real binary, temporary trees, raw protocol clients.
//! Test files call it; it knows the binary only by its command line and its protocols.
//! It must not touch: the library's insides, or the user's own configuration and cache.

mod binary;
mod cache;
mod http;
pub mod measure;
mod process;
mod python;
mod rpc;
mod run;
mod server;
mod tree;

pub use binary::{command, toolgate};
pub use cache::{cache_key, share_cache_key};
pub use http::{HttpReply, post, request, send};
pub use process::{peak_kib, processor_share};
pub use python::{mcp_client, python};
pub use rpc::Rpc;
pub use run::{Run, run, run_with_input};
pub use server::Server;
pub use tree::Tree;
