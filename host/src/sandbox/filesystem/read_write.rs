//! Positioned reading and writing of open files.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::call_files::CallFiles;
use super::descriptor::Descriptor;
use super::errors::FsError;
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;

/// Most bytes one read returns.
const MAX_READ: u64 = 4 << 20;

impl CallFiles {
    pub(super) fn read(&self, descriptor: &Descriptor, length: u64, offset: u64) -> Result<(Vec<u8>, bool), FsError> {
        let Some((fd, readable, _)) = descriptor.file() else {
            return Err(ErrorCode::IsDirectory.into());
        };
        if !readable {
            return Err(ErrorCode::BadDescriptor.into());
        }
        let length = length.min(MAX_READ);
        let bytes = read_at(fd, length, offset)?;
        let count = bytes.len() as u64;
        // Telling the end together with the last bytes saves a read of every file. Less than was
        // asked for is the end only if it reaches the known length: files of procfs have length 0
        // and come in pieces. A read of nothing tells nothing.
        let reached = count < length
            && descriptor
                .size()
                .is_some_and(|size| size > 0 && offset.saturating_add(count) >= size);
        let end = length > 0 && (count == 0 || reached);
        Ok((bytes, end))
    }

    pub(super) fn write(&self, descriptor: &Descriptor, bytes: &[u8], offset: u64) -> Result<u64, FsError> {
        let Some((fd, _, writable)) = descriptor.file() else {
            return Err(ErrorCode::IsDirectory.into());
        };
        if !writable {
            return Err(ErrorCode::BadDescriptor.into());
        }
        let count = bytes.len() as u64;
        let end = offset.checked_add(count).ok_or(ErrorCode::FileTooLarge)?;
        self.budget.take_bytes(count, end)?;
        loop {
            match rustix::io::pwrite(fd, bytes, offset) {
                Ok(written) => return Ok(written as u64),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Sets the length. Growing counts as writing, so that holes do not evade the budget.
    pub(super) fn set_size(&self, descriptor: &Descriptor, size: u64) -> Result<(), FsError> {
        let Some((fd, _, writable)) = descriptor.file() else {
            return Err(ErrorCode::IsDirectory.into());
        };
        if !writable {
            return Err(ErrorCode::BadDescriptor.into());
        }
        let current = u64::try_from(rustix::fs::fstat(fd)?.st_size).unwrap_or(0);
        self.budget.take_bytes(size.saturating_sub(current), size)?;
        rustix::fs::ftruncate(fd, size)?;
        Ok(())
    }
}

/// Reads at most `length` bytes into fresh memory that is not cleared first.
pub(super) fn read_at(fd: &OwnedFd, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
    // Positions beyond what a file can have are past its end.
    if i64::try_from(offset).is_err() {
        return Ok(Vec::new());
    }
    let mut buffer = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    if buffer.capacity() == 0 {
        return Ok(buffer);
    }
    loop {
        match rustix::io::pread(fd, rustix::buffer::spare_capacity(&mut buffer), offset) {
            Ok(_) => {
                buffer.truncate(usize::try_from(length).unwrap_or(usize::MAX));
                return Ok(buffer);
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}
