//! Path scope: which paths exist for a tenant, and what may be done with them.
//! Used by both doors, the gate (for its answer) and the sandbox (for the object really opened).
//! Must not touch: modes, rules, prompts, components. It reads links and, where spellings of a name differ, directories.

mod access;
mod braces;
mod builder;
mod control_plane;
mod deny;
mod disk;
mod fold;
mod glob;
mod lexical;
mod mandatory;
mod path_scope;
mod pins;
mod protection;
mod resolve;
mod spelling;
pub mod web;

pub use access::Access;
pub use builder::{PathScopeBuilder, check_deny, check_entry};
pub use control_plane::is_control_plane;
pub use deny::DenyList;
pub use fold::folded;
pub use lexical::{PathError, normalise};
pub use mandatory::MandatoryClass;
pub use path_scope::{PathScope, Place, Root, ScopeError};
pub use resolve::{Resolved, Unresolvable, resolve};
