//! WASI error codes in words.

use crate::{Error, ErrorKind};

pub use crate::bindings::wasi::filesystem::types::ErrorCode;

/// The error of an operation on `path`, the resolved absolute path. The host answers `no-entry`
/// also for paths that are hidden from the call, so the two look the same.
pub(super) fn describe(code: ErrorCode, path: &str) -> Error {
    use ErrorCode as C;
    use ErrorKind as K;
    let (kind, what) = match code {
        C::NoEntry => (K::NotFound, "not found: it does not exist"),
        C::Access | C::NotPermitted => (K::Denied, "permission denied"),
        C::ReadOnly => (K::Denied, "it is read-only"),
        C::TextFileBusy => (K::Denied, "it is a program that is running"),
        C::IsDirectory => (K::Failed, "it is a directory, not a file"),
        C::NotDirectory => (K::Failed, "a part of this path is a file, not a directory"),
        C::Loop => (K::Failed, "its symbolic links form a loop"),
        C::NameTooLong => (K::InvalidArguments, "the name is too long"),
        C::IllegalByteSequence | C::Invalid => (K::InvalidArguments, "the name is not valid"),
        C::InsufficientSpace => (K::Limit, "no space left on the device"),
        C::Quota => (K::Limit, "the disk quota is used up"),
        C::FileTooLarge => (K::Limit, "the file would be too large for the filesystem"),
        C::InsufficientMemory => (K::Limit, "not enough memory"),
        C::CrossDevice => (K::Denied, "it lies on another filesystem"),
        C::Busy => (K::Failed, "it is in use"),
        C::Io => (K::Failed, "the device reported an input/output error"),
        other => return Error::failed(format!("{path}: filesystem error `{}`", other.name())),
    };
    Error::new(kind, format!("{path}: {what}"))
}
