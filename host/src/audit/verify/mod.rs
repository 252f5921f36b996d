//! Reads the whole log and says whether it is as it was written.
//! Called by `toolgate audit verify` and by embedders; writers may go on meanwhile.
//! Must not touch: anything; it opens files for reading only.

pub(super) mod lines;
mod report;
mod walk;

use std::fs::File;
use std::path::Path;

use rustix::fs::OFlags;

pub use report::{Fault, FaultKind, FileReport, Loss, LossKind, Report};

use super::chain::Mac;
use super::directory::{CURRENT, Directory, finished_name};
use super::head::{self, Head};
use super::lock::Lock;
use super::{AuditError, key};

/// A file of the log, as long as it was when all were opened.
pub(super) struct Opened {
    pub(super) name: String,
    /// The number in the name; the current file has none.
    pub(super) number: Option<u64>,
    pub(super) file: File,
    pub(super) size: u64,
}

struct Snapshot {
    files: Vec<Opened>,
    head: Head,
    key: Option<Mac>,
}

/// Checks every line of every file of the log in this directory. One pass, in memory that does
/// not depend on the size of the log.
///
/// What cannot be found out: lines cut off at the end together with a matching older
/// `audit.head`, and anything done by somebody who has the key.
///
/// # Errors
/// The directory, a file or the key cannot be read. What is wrong with their content is in the report.
pub fn verify(directory: &Path) -> Result<Report, AuditError> {
    let directory = Directory::open(directory)?;
    let snapshot = snapshot(&directory)?;
    let mut walk = walk::Walk::new(snapshot.key.as_ref(), snapshot.head);
    for opened in &snapshot.files {
        let went_on = walk
            .file(opened)
            .map_err(|error| directory.error(&opened.name, error))?;
        if !went_on {
            break;
        }
    }
    Ok(walk.finish(&directory))
}

/// Opens the files of the log, oldest first, while nobody writes.
pub(super) fn open_all(directory: &Directory) -> Result<Vec<Opened>, AuditError> {
    let mut files = Vec::new();
    let numbers = directory.finished().map_err(|error| directory.error("", error))?;
    let names = numbers.into_iter().map(|number| (finished_name(number), Some(number)));
    for (name, number) in names.chain([(CURRENT.to_owned(), None)]) {
        let failed = |error: std::io::Error| directory.error(&name, error);
        let Some(file) = directory.file(&name, OFlags::RDONLY).map_err(failed)? else {
            continue;
        };
        let size = file.metadata().map_err(failed)?.len();
        files.push(Opened {
            name,
            number,
            file,
            size,
        });
    }
    Ok(files)
}

fn snapshot(directory: &Directory) -> Result<Snapshot, AuditError> {
    let lock = Lock::open_if_there(directory)?;
    let _guard = lock.as_ref().map(|lock| lock.shared(directory)).transpose()?;
    let key = key::load(directory)?;
    let mac = key.as_ref().unwrap_or(&Mac::Plain);
    let head = head::read(directory, mac).map_err(|error| directory.error(head::HEAD, error))?;
    Ok(Snapshot {
        files: open_all(directory)?,
        head,
        key,
    })
}
