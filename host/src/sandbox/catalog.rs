//! The capability `toolgate:plugin/catalog`: which tools there are.

use super::bindings::toolgate::plugin::catalog::Host;
use super::state::CallState;

impl Host for CallState {
    fn has(&mut self, tool: String) -> wasmtime::Result<bool> {
        // While there is no catalog, every tool counts as registered.
        Ok(self.around.tools.as_ref().is_none_or(|tools| tools.contains(&tool)))
    }
}
