//! Files as `wasi:io` streams, for guests whose standard library reads that way.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::io::Errno;
use wasmtime_wasi::p2::{InputStream, OutputStream, Pollable, StreamError, StreamResult};

use super::call_files::Budget;

/// Most bytes that one stream operation moves.
const CHUNK: usize = 64 << 10;

/// Reads from a position on.
pub(super) struct FileInput {
    pub(super) fd: Arc<OwnedFd>,
    pub(super) offset: u64,
}

#[wasmtime_wasi::async_trait]
impl Pollable for FileInput {
    async fn ready(&mut self) {}
}

#[wasmtime_wasi::async_trait]
impl InputStream for FileInput {
    fn read(&mut self, size: usize) -> StreamResult<bytes::Bytes> {
        if size == 0 {
            return Ok(bytes::Bytes::new());
        }
        let read = super::read_write::read_at(&self.fd, size.min(CHUNK) as u64, self.offset).map_err(failed)?;
        if read.is_empty() {
            return Err(StreamError::Closed);
        }
        self.offset += read.len() as u64;
        Ok(read.into())
    }
}

/// Writes from a position on, or at the end.
pub(super) struct FileOutput {
    pub(super) fd: Arc<OwnedFd>,
    /// `None` appends.
    pub(super) offset: Option<u64>,
    pub(super) budget: Arc<Budget>,
}

#[wasmtime_wasi::async_trait]
impl Pollable for FileOutput {
    async fn ready(&mut self) {}
}

#[wasmtime_wasi::async_trait]
impl OutputStream for FileOutput {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        if bytes.len() > CHUNK {
            return Err(StreamError::Trap(wasmtime::format_err!(
                "a write of {} bytes exceeds the permitted {CHUNK}",
                bytes.len()
            )));
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let at = match self.offset {
                Some(offset) => offset,
                None => rustix::fs::fstat(&self.fd)
                    .map_err(failed)
                    .map(|stat| u64::try_from(stat.st_size).unwrap_or(0))?,
            };
            let count = rest.len() as u64;
            let end = at.checked_add(count).ok_or_else(|| failed(Errno::FBIG))?;
            self.budget
                .take_bytes(count, end)
                .map_err(|_| StreamError::LastOperationFailed(wasmtime::Error::from(Failure(Errno::DQUOT))))?;
            match rustix::io::pwrite(&self.fd, rest, at) {
                Ok(written) => {
                    rest = &rest[written..];
                    if let Some(offset) = &mut self.offset {
                        *offset += written as u64;
                    }
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(CHUNK)
    }
}

/// A system error on its way through `wasi:io`.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Failure(pub(super) Errno);

fn failed(error: Errno) -> StreamError {
    StreamError::LastOperationFailed(wasmtime::Error::from(Failure(error)))
}
