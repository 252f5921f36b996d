//! The capability `wasi:filesystem`: the host's own implementation, which enforces the scope on each operation.
//! Called by guests through the linker; set up per call by `state`.
//! Must not touch: anything outside the roots of the call. No `..`, no link and no mount is ever left to the kernel.

mod call_files;
mod descriptor;
mod directory;
mod errors;
mod metadata;
mod mutate;
mod open;
mod place;
mod read_write;
mod streams;
mod times;
mod types;

pub(in crate::sandbox) use call_files::{Budget, CallFiles, Grant, Need, Options};
#[allow(unreachable_pub)] // the generated bindings name them in a public place
pub use descriptor::{Descriptor, Listing, Stamp};
#[allow(unreachable_pub)]
pub use errors::FsError;
pub(in crate::sandbox) use open::Parent;
