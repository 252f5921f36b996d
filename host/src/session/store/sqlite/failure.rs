//! What goes wrong inside, and how it is told. SQL and SQLite's own messages
//! stay inside: they say nothing to the one who reads the error.

use rusqlite::ErrorCode;

use super::schema;
use crate::session::store::StoreError;

/// An error whose store is not named yet.
pub(super) enum Failure {
    /// A refusal that is told as it is.
    Refused(StoreError),
    Sqlite(rusqlite::Error),
    /// What is stored contradicts itself.
    Damaged,
    /// A database of another program.
    Foreign,
    /// A schema of a newer version.
    Newer(i64),
    /// The file system cannot share memory between processes.
    Unshared,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Failure {
    /// The error of the store of this name.
    pub(super) fn at(self, name: &str) -> StoreError {
        let text = match self {
            Self::Refused(error) => return error,
            Self::Sqlite(error) => format!("{name}: {}", told(&error)),
            Self::Damaged => format!("{name}: {DAMAGED}"),
            Self::Foreign => format!(
                "{name}: not a session store but some other database; move it away, or choose another state directory"
            ),
            Self::Newer(version) => format!(
                "{name}: written by a newer version (schema {version}, this version knows {}); use that version, or \
                 choose another state directory",
                schema::VERSION
            ),
            Self::Unshared => format!(
                "{name}: its file system cannot share memory between processes, as network file systems cannot; \
                 choose a state directory on a local disk"
            ),
        };
        StoreError::Unavailable(text)
    }
}

const DAMAGED: &str = "damaged; nothing was changed or deleted. To start with an empty store, move the file and its \
                       -wal and -shm companions away; the state and raw payloads of all sessions go with them";

fn told(error: &rusqlite::Error) -> String {
    let Some(cause) = error.sqlite_error() else {
        // A column of another type than this code writes.
        return DAMAGED.to_owned();
    };
    let text = match cause.code {
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => DAMAGED,
        ErrorCode::DiskFull => "the disk is full; what was stored before can still be read",
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            "another process kept it locked for more than 5 seconds; repeat the call"
        }
        ErrorCode::CannotOpen => "cannot be opened; check that the file and its directory belong to this user",
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => "not writable; check the modes of the file and its disk",
        ErrorCode::OutOfMemory => "out of memory",
        ErrorCode::SystemIoFailure => {
            return format!("reading or writing failed (code {})", cause.extended_code);
        }
        _ => return format!("not usable (code {})", cause.extended_code),
    };
    text.to_owned()
}
