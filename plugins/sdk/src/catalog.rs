//! Which other tools there are.

use crate::bindings::toolgate::plugin::catalog as host;

/// Whether a tool of this name is registered: the messages of a running call speak only of tools
/// that exist. Descriptions ask [`DefinitionContext::has`](crate::DefinitionContext::has).
pub fn has(tool: &str) -> bool {
    host::has(tool)
}
