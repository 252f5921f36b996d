//! What lives here: text as tools see it — lines, cuts, encodings. Pure functions.
//! What may call it: tools and the SDK itself, on any target.
//! What it must not touch: bindings, files, anything with an effect.

mod encoding;
mod lines;
mod quoted;
mod truncate;
mod window;

pub use encoding::{BINARY_PREFIX, Decoded, decode, floor_boundary, is_binary};
pub use lines::LineCounter;
pub use quoted::quoted;
pub use truncate::{Truncated, truncate_text};
pub use window::LineWindow;
