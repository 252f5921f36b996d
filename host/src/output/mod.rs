//! What leaves a call: output limits and the shape of the result.
//! Called by the session, after the sandbox.
//! Must not touch: policy, components, the file system.

mod caps;
pub mod digest;
mod result;

pub use caps::CapsTable;
pub use result::{MAX_RESULT_FACTOR, finish, result_limit};
