//! Classification of shell commands: what a command line runs and whether it only reads.
//! Called by the gate: rules, grants, the deny list and the search gate.
//! Must not touch: anything but the text it is given. It runs nothing and looks nothing up.

mod bundles;
mod commands;
mod compound;
mod cursor;
mod denylist;
mod expand;
mod parse;
mod profiles;
mod redirect;
mod safe;
mod salvage;
mod search;
mod syntax;
mod verb;
mod word;
mod wrappers;

pub use bundles::{BUNDLES, DEFAULT_BUNDLE, bundle};
pub use commands::{Words, runs, simple_commands};
pub use cursor::{Failure, MAX_BYTES};
pub use denylist::{Reason, denied};
pub use safe::{Unsafe, is_safe, single_command};
pub use search::{Search, SearchVerb, binaries, search_verb, searches};
pub use syntax::Word;
pub use verb::{covers, verb};

#[cfg(test)]
mod tests;
