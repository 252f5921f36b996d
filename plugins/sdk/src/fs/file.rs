//! Reading files.

use super::error::describe;
use super::{ErrorCode, Kind, Metadata, Replacement};
use crate::Error;
use crate::bindings::wasi::filesystem::types::Descriptor;

/// The size of one read in bytes: large enough that the call costs nothing beside the copy, small
/// enough that the copy stays in the processor's cache.
pub const CHUNK: usize = 256 * 1024;

/// A regular file, open for reading.
#[derive(Debug)]
pub struct File {
    descriptor: Descriptor,
    metadata: Metadata,
    path: String,
}

impl File {
    pub(super) fn new(descriptor: Descriptor, path: &str) -> Result<Self, Error> {
        let metadata: Metadata = descriptor.stat().map_err(|code| describe(code, path))?.into();
        if metadata.kind == Kind::File {
            Ok(Self {
                descriptor,
                metadata,
                path: path.to_owned(),
            })
        } else {
            Err(not_regular(metadata.kind, path))
        }
    }

    /// Size in bytes when the file was opened.
    pub fn size(&self) -> u64 {
        self.metadata.size
    }

    /// The resolved absolute path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Starts to replace the content of exactly this file. The commit fails, and changes nothing, if
    /// another file stands under its name by then, or its content was changed.
    ///
    /// # Errors
    ///
    /// It is read-only, or permission is denied.
    pub fn replace(&self) -> Result<Replacement<'_>, Error> {
        Replacement::of(&self.descriptor, &self.path)
    }

    /// Up to `length` bytes from `offset`, and whether the end of the file was reached.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn read_at(&self, offset: u64, length: usize) -> Result<(Vec<u8>, bool), Error> {
        read(&self.descriptor, offset, length).map_err(|code| describe(code, &self.path))
    }

    /// Gives the content to `each` in pieces, from start to end, holding one piece at a time.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn for_each_chunk(&self, mut each: impl FnMut(&[u8])) -> Result<(), Error> {
        self.chunks_while(|chunk| {
            each(chunk);
            true
        })
    }

    /// As [`File::for_each_chunk`], until `each` answers `false`.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn chunks_while(&self, mut each: impl FnMut(&[u8]) -> bool) -> Result<(), Error> {
        let mut offset = 0;
        loop {
            let (chunk, end) = self.read_at(offset, CHUNK)?;
            offset += chunk.len() as u64;
            if (!chunk.is_empty() && !each(&chunk)) || end {
                return Ok(());
            }
        }
    }

    /// The whole content, which may have up to `limit` bytes.
    ///
    /// # Errors
    ///
    /// The file is larger than `limit`, or the device failed.
    pub fn read_all(&self, limit: u64) -> Result<Vec<u8>, Error> {
        let too_large = |size| {
            Error::limit(format!(
                "{}: {size} bytes, more than the limit of {limit} bytes",
                self.path
            ))
        };
        if self.size() > limit {
            return Err(too_large(self.size()));
        }
        let mut content = Vec::with_capacity(usize::try_from(self.size()).unwrap_or(0));
        self.chunks_while(|chunk| {
            content.extend_from_slice(chunk);
            content.len() as u64 <= limit
        })?;
        if content.len() as u64 > limit {
            Err(too_large(content.len() as u64))
        } else {
            Ok(content)
        }
    }
}

/// One positioned read. An empty answer is the end even if the host does not say so.
pub(super) fn read(descriptor: &Descriptor, offset: u64, length: usize) -> Result<(Vec<u8>, bool), ErrorCode> {
    let (bytes, end) = descriptor.read(length as u64, offset)?;
    let end = end || bytes.is_empty();
    Ok((bytes, end))
}

/// The error for something that is not a regular file.
pub(super) fn not_regular(kind: Kind, path: &str) -> Error {
    Error::failed(format!("{path}: not a regular file: it is {}", kind.described()))
}
