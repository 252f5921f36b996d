//! What lives here: files and directories, over the raw `wasi:filesystem` descriptors.
//! What may call it: tools, with the paths that their call was granted.
//! What it must not touch: `std::fs` and WASI streams, which are slower and import far more.

mod directory;
mod error;
mod file;
mod matching;
mod metadata;
mod order;
mod path;
mod replace;
mod walk;

pub use directory::{Directory, Entry};
pub use error::ErrorCode;
pub use file::{CHUNK, File};
pub use metadata::{Kind, Metadata};
pub use order::walk_order;
pub use path::GrantedPath;
pub(crate) use path::granted;
pub use replace::{Replaced, Replacement};
pub use walk::{SKIPPED_DIRECTORIES, Visit, Visited, Visitor, Walk, WalkSummary};
