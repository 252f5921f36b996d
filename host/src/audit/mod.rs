//! The audit log: one line per call, in a chain of hashes that shows what was changed or taken out.
//! Called by the session when a call begins (`ready`) and when it is over (`record`), and by `toolgate audit`.
//! Must not touch: results; it never changes how a call ends. It reaches nothing outside its directory.
//!
//! ```
//! use toolgate::audit::{Audit, AuditOptions, Entry, verify};
//!
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path().join("state");
//! let audit = Audit::open(AuditOptions::new(&directory))?;
//! audit.record_blocking(&Entry::new("s1", "read_file"));
//! drop(audit);
//! let report = verify(&directory)?;
//! assert!(report.is_complete());
//! assert_eq!(report.records, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod batch;
mod chain;
mod directory;
mod entry;
mod error;
mod follow;
mod handle;
mod head;
mod hop;
mod json;
mod key;
mod lock;
mod log;
mod options;
mod queue;
mod render;
mod resume;
mod secrets;
mod show;
mod tail;
#[cfg(test)]
mod tests;
mod text;
mod time;
mod verify;
mod writable;
mod writer;

pub use entry::{Approver, Decided, Entry, Failure, Resources};
pub use error::AuditError;
pub use follow::follow;
pub use handle::Audit;
pub use hop::Hop;
pub use options::{AuditConfig, AuditOptions, MIN_FILE_BYTES, OnFailure, Sync};
pub use render::MAX_LINE;
pub use show::{Filter, ShowError, show};
pub use text::write_report;
pub use time::parse as parse_time;
pub use verify::{Fault, FaultKind, FileReport, Loss, LossKind, Report, verify};
pub use writable::writable;
