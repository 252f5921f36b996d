//! System errors as `wasi:filesystem` error codes.

use rustix::io::Errno;

use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;

/// A failed operation: a code for the guest, or a reason to end it.
#[derive(Debug)]
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub enum FsError {
    /// The guest sees this.
    Code(ErrorCode),
    /// The guest broke the rules of the boundary.
    Trap(wasmtime::Error),
}

impl From<ErrorCode> for FsError {
    fn from(code: ErrorCode) -> Self {
        Self::Code(code)
    }
}

impl From<Errno> for FsError {
    fn from(error: Errno) -> Self {
        Self::Code(code(error))
    }
}

impl From<wasmtime::component::ResourceTableError> for FsError {
    fn from(error: wasmtime::component::ResourceTableError) -> Self {
        // A full table is an ordinary failure; a handle that is none is not.
        match error {
            wasmtime::component::ResourceTableError::Full => Self::Code(ErrorCode::InsufficientMemory),
            other => Self::Trap(other.into()),
        }
    }
}

/// The code for a system error.
pub(super) fn code(error: Errno) -> ErrorCode {
    match error {
        Errno::ACCESS => ErrorCode::Access,
        Errno::AGAIN => ErrorCode::WouldBlock,
        Errno::ALREADY => ErrorCode::Already,
        Errno::BADF => ErrorCode::BadDescriptor,
        Errno::BUSY => ErrorCode::Busy,
        Errno::DQUOT => ErrorCode::Quota,
        Errno::EXIST => ErrorCode::Exist,
        Errno::FBIG => ErrorCode::FileTooLarge,
        Errno::ILSEQ => ErrorCode::IllegalByteSequence,
        Errno::INTR => ErrorCode::Interrupted,
        Errno::INVAL => ErrorCode::Invalid,
        Errno::ISDIR => ErrorCode::IsDirectory,
        Errno::LOOP => ErrorCode::Loop,
        Errno::MLINK => ErrorCode::TooManyLinks,
        Errno::NAMETOOLONG => ErrorCode::NameTooLong,
        Errno::NODEV | Errno::NXIO => ErrorCode::NoDevice,
        Errno::NOENT => ErrorCode::NoEntry,
        Errno::NOMEM | Errno::MFILE | Errno::NFILE => ErrorCode::InsufficientMemory,
        Errno::NOSPC => ErrorCode::InsufficientSpace,
        Errno::NOTDIR => ErrorCode::NotDirectory,
        Errno::NOTEMPTY => ErrorCode::NotEmpty,
        Errno::NOTSUP | Errno::NOSYS => ErrorCode::Unsupported,
        Errno::OVERFLOW => ErrorCode::Overflow,
        // A mount inside the scope counts as forbidden, not as an error of the caller.
        Errno::PERM | Errno::XDEV => ErrorCode::NotPermitted,
        Errno::PIPE => ErrorCode::Pipe,
        Errno::ROFS => ErrorCode::ReadOnly,
        Errno::SPIPE => ErrorCode::InvalidSeek,
        Errno::TXTBSY => ErrorCode::TextFileBusy,
        _ => ErrorCode::Io,
    }
}
