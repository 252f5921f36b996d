//! What lives here: everything a plugin is written with — the [`Tool`] trait, [`export!`], files, text.
//! What may call it: the tools of this workspace and plugins of others; it runs inside the sandbox.
//! What it must not touch: host internals; `wit/` is the only thing host and plugin share.
//!
//! A whole plugin, with one tool:
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool, text};
//!
//! /// Arguments of `count_lines`.
//! #[derive(Deserialize, JsonSchema)]
//! pub struct Args {
//!     /// The file whose lines are counted.
//!     pub path: String,
//! }
//!
//! /// Result of `count_lines`.
//! #[derive(Serialize, JsonSchema)]
//! pub struct Output {
//!     /// How many lines the file has.
//!     pub lines: u64,
//! }
//!
//! /// The tool `count_lines`.
//! pub struct CountLines;
//!
//! impl Tool for CountLines {
//!     type Args = Args;
//!     type Output = Output;
//!
//!     fn definition(_: &DefinitionContext) -> Definition {
//!         Definition::new("count_lines", "Count the lines of a file.")
//!             .read_only()
//!             .access(Access::file("path").read())
//!     }
//!
//!     fn call(_: Args, call: &Call) -> Result<Output, Error> {
//!         let file = call.path("path")?.open_file()?;
//!         let mut lines = text::LineCounter::default();
//!         file.for_each_chunk(|chunk| lines.feed(chunk))?;
//!         Ok(Output { lines: lines.total() })
//!     }
//! }
//!
//! toolgate_plugin::export!(CountLines);
//! # fn main() {}
//! ```
//!
//! Built for `wasm32-unknown-unknown` with the linker `wasm-component-ld`, this is a component that
//! imports `wasi:filesystem` and nothing else, because it calls nothing else.

extern crate self as toolgate_plugin;

mod arguments;
#[doc(hidden)]
#[allow(missing_docs, unsafe_code, unreachable_pub, clippy::all)]
pub mod bindings;
mod call;
pub mod catalog;
pub mod channels;
mod definition;
mod error;
#[doc(hidden)]
pub mod export;
pub mod fetch;
pub mod fs;
pub mod glob;
#[cfg(feature = "heap")]
#[allow(unsafe_code)]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod heap;
pub mod json;
pub mod log;
pub mod payloads;
pub mod plans;
mod schema;
pub mod state;
pub mod text;
mod tool;

pub use call::{Call, Caps, Refused};
pub use definition::{Access, Definition, DefinitionContext, Order, PlanMode, Rule, SharedWalk, Target};
pub use error::{Error, ErrorKind};
pub use tool::Tool;

#[doc(hidden)]
pub use wit_bindgen;
