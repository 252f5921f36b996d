//! The sandbox: loads components, gives each call a fresh instance with the capabilities of its approval.
//! Called by the session (to run) and by the builder (to load). One folder or file per capability.
//! Must not touch: policy. It enforces what an `Approval` and the scope say, on the object really opened.

#[allow(unsafe_code)]
mod aot;
mod bindings;
mod bounds;
pub mod cache;
mod catalog;
mod compat;
mod compiler;
mod component;
mod definitions;
mod elsewhere;
mod engine;
mod files;
mod filesystem;
mod grant;
mod imports;
mod inspect;
mod instance;
mod limits;
mod log;
mod network;
mod plans;
mod precheck;
mod run;
mod session;
mod share;
mod state;
mod usage;
mod walks;
mod wasi;
mod watchdog;
mod work;

pub(crate) use bounds::Bounds;
pub use compiler::{Compiler, compile_worker};
pub use component::{LoadError, Loader, Plugin, Source};
pub use definitions::Told;
pub use engine::Sandbox;
pub use files::sweep_pending;
pub use imports::ImportInfo;
pub use inspect::{Inspection, inspect_bytes, inspect_file};
pub(crate) use network::{Alerts, Connections, Egress, Hops, NetworkBounds};
pub use network::{DnsResolver, Resolve, ResolveError, Resolved, Variables};
pub(crate) use run::{Job, Runner, Threads, unprepared};
pub(crate) use session::SessionView;
pub(crate) use usage::Usage;
