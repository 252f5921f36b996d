//! The capability `toolgate:plugin/walks`: one walk in parts, shared by several instances of a tool.
//! Called by guests through the linker, and by `run`, which decides how many instances there are.
//! Must not touch: files, except that `split` lists directories through the resolver of the call.

mod merge;
mod parts;
mod split;

pub(super) use merge::merge;
pub(super) use parts::Parts;
pub(super) use split::split;

use super::bindings::toolgate::plugin::walks::{Host, Part};
use super::state::CallState;

impl Host for CallState {
    fn next(&mut self, visited: u64) -> wasmtime::Result<Option<Part>> {
        Ok(self.around.walk.next(visited))
    }

    fn entry_budget(&mut self) -> wasmtime::Result<u64> {
        Ok(self.around.walk.budget())
    }
}
