//! Test vectors: the tables under `tests/vectors/*.json`, the types they are read into, and what compares a call with its row.
//! May be called by every test of this crate.
//! Must not start a host or know how a tool is called; the test that owns the host hands in a closure.

mod after;
mod load;
mod mandatory;
mod matcher;
mod objects;
mod outcome;
mod paths;
mod policy;
mod row;
mod run;
mod setup;
#[cfg(test)]
mod tests;
mod text;
mod workspace;

pub use after::{After, check_after};
pub use load::{LeftOut, Table, load, load_as, load_table};
pub use mandatory::{MandatoryRow, SpellingRow};
pub use matcher::matches_value;
pub use objects::{Bind, ObjectCall, ObjectOutcome, ObjectRow, Swap};
pub use outcome::{CallFailure, Expect, matches};
pub use paths::{AllowPath, PathDenyCase, PathDenyRow, PathScopeRow, running_as_root};
pub use policy::{CapsConfig, CapsRow, CapsValue, ModeCase, OperationRow, PatternRow, RequestRow, Verdict, mode_cases};
pub use row::{CallCaps, Config, Prompter, Row, RowCall};
pub use run::run_row;
pub use setup::{FileStep, ManyFiles, Mtime, Part, Step};
pub use text::{TruncateRow, VectorText};
pub use workspace::Workspace;

/// A table of tool calls, as in `read_file.json`.
pub type File = Table<Row>;
