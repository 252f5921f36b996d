//! Atomic writes.

use super::error::describe;
use super::file::not_regular;
use super::{ErrorCode, Kind, Metadata};
use crate::Error;
use crate::bindings::toolgate::plugin::files;
use crate::bindings::wasi::filesystem::types::{Descriptor, PathFlags};

pub use files::Replaced;

/// The most bytes that one call of the host takes.
const PIECE: usize = 1024 * 1024;

/// A new content for a file, invisible until committed. Dropped before that, it leaves everything
/// as it was.
#[derive(Debug)]
pub struct Replacement<'call> {
    replacement: files::Replacement,
    path: &'call str,
}

impl<'call> Replacement<'call> {
    pub(super) fn begin(preopen: &Descriptor, relative: &str, path: &'call str) -> Result<Self, Error> {
        match files::Replacement::begin(preopen, relative) {
            Ok(replacement) => Ok(Self { replacement, path }),
            Err(code) => Err(refused(code, preopen, relative, path)),
        }
    }

    /// The replacement of exactly the file that is open.
    pub(super) fn of(file: &Descriptor, path: &'call str) -> Result<Self, Error> {
        match files::Replacement::begin_exact(file) {
            Ok(replacement) => Ok(Self { replacement, path }),
            Err(ErrorCode::Access | ErrorCode::ReadOnly) => Err(read_only(path)),
            Err(code) => Err(describe(code, path)),
        }
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// The device is full, a quota is used up, or the device failed.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        bytes
            .chunks(PIECE)
            .try_for_each(|piece| self.replacement.write(piece))
            .map_err(|code| describe(code, self.path))
    }

    /// Makes the new content durable and puts it in place in one step.
    ///
    /// # Errors
    ///
    /// As for [`Replacement::write`]; the old content stays.
    pub fn commit(self) -> Result<Replaced, Error> {
        self.replacement.commit().map_err(|code| match code {
            ErrorCode::Busy => Error::failed(format!(
                "{}: it was changed since it was read, and nothing was written; read it again",
                self.path
            )),
            code => describe(code, self.path),
        })
    }
}

fn read_only(path: &str) -> Error {
    Error::denied(format!("{path}: it is read-only: no permission to change it"))
}

/// Says what stands in the way.
fn refused(code: ErrorCode, preopen: &Descriptor, relative: &str, path: &str) -> Error {
    let existing = preopen
        .stat_at(PathFlags::SYMLINK_FOLLOW, relative)
        .map(|stat| Metadata::from(stat).kind);
    match (code, existing) {
        (_, Ok(Kind::Directory)) => Error::failed(format!("{path}: it is a directory; name a file inside it")),
        (ErrorCode::Access | ErrorCode::ReadOnly, Ok(Kind::File)) => read_only(path),
        (_, Ok(kind)) if kind != Kind::File => not_regular(kind, path),
        (ErrorCode::NotDirectory | ErrorCode::Exist, _) => Error::failed(format!(
            "{path}: one of its parent directories is a file, not a directory"
        )),
        _ => describe(code, path),
    }
}
