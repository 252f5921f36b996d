//! The catalog: which tools are registered, what they declare, whether arguments fit.
//! Called by the session and by the front ends that list tools.
//! Must not touch: policy, the file system, components (it receives their definitions).

mod arguments;
mod definition;
mod registry;
mod rules;

pub use arguments::{Arguments, ArgumentsError};
pub use definition::{
    Access, Caps, Class, Definition, DefinitionError, Operations, Order, Origin, Rule, SharedWalk, Target, ToolInfo,
};
pub use registry::{Catalog, CatalogError, Registered};
