//! Whether a log could be written, without writing one.

use std::path::Path;

use rustix::fs::{Access, AtFlags, CWD, OFlags, accessat};

use super::AuditError;
use super::directory::{CURRENT, Directory};

/// Looks whether a log can be written in this directory, or the directory be made where there is
/// none yet. Nothing is made. A full disk is not noticed.
///
/// # Errors
/// What is in the way.
pub fn writable(path: &Path) -> Result<(), AuditError> {
    if path.exists() {
        let directory = Directory::open(path)?;
        let found = directory.file(CURRENT, OFlags::RDWR | OFlags::APPEND);
        found.map_err(|error| directory.error(CURRENT, error))?;
    }
    let nearest = path
        .ancestors()
        .find(|folder| folder.exists())
        .unwrap_or(Path::new("/"));
    accessat(CWD, nearest, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).map_err(|error| {
        AuditError::Directory {
            path: nearest.to_owned(),
            reason: error.to_string(),
        }
    })
}
