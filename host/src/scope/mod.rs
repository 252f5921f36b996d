//! Path scope: which paths exist for a tenant, and what may be done with them.
//! Used by both doors, the gate (for its answer) and the sandbox (for the object really opened).
//! Must not touch: modes, rules, prompts, components. It reads links, and opens nothing but the scope's roots.

mod access;
mod braces;
mod builder;
mod control_plane;
mod deny;
mod glob;
mod lexical;
mod path_scope;
mod resolve;

pub use access::Access;
pub use builder::{PathScopeBuilder, check_deny, check_entry};
pub use control_plane::{holds_control_plane, is_control_plane};
pub use deny::DenyList;
pub use lexical::{PathError, normalise};
pub use path_scope::{PathScope, Place, Root, ScopeError};
pub use resolve::{Resolved, Unresolvable, resolve};
