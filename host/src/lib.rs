//! Toolgate: a sandboxed WebAssembly host for the tools of AI agents.
//!
//! Every tool is a component. It runs in a fresh sandbox for each call, holding
//! only what this one call was approved for. The way of a call is one
//! direction: session, catalog, gate, sandbox, output, audit.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use toolgate::{Call, Host, SessionOptions};
//!
//! let host = Host::builder().root("/home/me/project").build()?;
//! let session = host.session(SessionOptions::default());
//! let call = Call::new("read_file", serde_json::json!({"path": "README.md", "limit": 10}));
//! let result = session.call(call).await?;
//! println!("{}", result.value["content"]);
//! # Ok(()) }
//! ```

pub mod approvals;
pub mod audit;
mod builder;
mod call;
pub mod catalog;
pub mod config;
mod directories;
pub mod gate;
mod host;
pub mod json;
mod kept_grants;
pub mod mcp;
pub mod output;
mod own_files;
pub mod places;
pub mod prompters;
mod reload;
pub mod sandbox;
pub mod scope;
pub mod session;
mod settings;
mod suggest;

pub use builder::{BuildError, HostBuilder};
pub use call::{Call, CallError, CallResult, ErrorKind};
pub use catalog::{Class, Origin, ToolInfo};
pub use config::Config;
pub use gate::{Answer, Decision, Mode, PromptError, PromptRequest, Prompter};
pub use host::Host;
pub use sandbox::{DnsResolver, Resolve, ResolveError, Resolved, Variables};
pub use session::{Session, SessionOptions};
