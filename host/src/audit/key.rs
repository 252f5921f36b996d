//! The key of the chain.

use std::io::{Read, Write};

use rustix::fs::OFlags;

use super::AuditError;
use super::chain::Mac;
use super::directory::Directory;

/// 64 hexadecimal digits and a line break.
const KEY: &str = "audit.key";
const LENGTH: usize = 65;

/// How the chain is made: with the key if there is one, so that all writers agree whatever
/// their options; a new key if there is none and `keyed` asks for one.
///
/// Called with the log locked, so that two processes cannot make two keys.
///
/// # Errors
/// The key cannot be read or made, or others can read it.
pub(super) fn load_or_create(directory: &Directory, keyed: bool) -> Result<Mac, AuditError> {
    match load(directory)? {
        Some(mac) => Ok(mac),
        None if keyed => create(directory),
        None => Ok(Mac::Plain),
    }
}

/// The key, if there is one.
///
/// # Errors
/// It cannot be read, is no key, or others can read it.
pub(super) fn load(directory: &Directory) -> Result<Option<Mac>, AuditError> {
    let refuse = |reason: String| refused(directory, reason);
    let Some(file) = directory
        .file(KEY, OFlags::RDONLY)
        .map_err(|error| refuse(error.to_string()))?
    else {
        return Ok(None);
    };
    let stat = rustix::fs::fstat(&file).map_err(|error| refuse(error.to_string()))?;
    if stat.st_mode & 0o077 != 0 {
        let mode = stat.st_mode & 0o777;
        return Err(refuse(format!(
            "its mode is {mode:04o}, so others can read it; 0600 is needed"
        )));
    }
    let mut text = String::new();
    file.take(LENGTH as u64 + 1)
        .read_to_string(&mut text)
        .map_err(|error| refuse(error.to_string()))?;
    let key = text
        .strip_suffix('\n')
        .and_then(|digits| blake3::Hash::from_hex(digits).ok())
        .ok_or_else(|| refuse("it does not hold 64 hexadecimal digits".to_owned()))?;
    Ok(Some(Mac::Keyed(*key.as_bytes())))
}

fn create(directory: &Directory) -> Result<Mac, AuditError> {
    // A process that is killed here leaves a file under this name only, and the next one replaces it.
    const NEW: &str = "audit.key.new";
    let mut key = [0; 32];
    fill(&mut key).map_err(|error| refused(directory, error.to_string()))?;
    let made = || -> std::io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let mut file = directory
            .file(NEW, flags)?
            .ok_or_else(|| std::io::Error::other("it cannot be made"))?;
        writeln!(file, "{}", blake3::Hash::from_bytes(key).to_hex())?;
        file.sync_all()?;
        directory.rename(NEW, KEY)?;
        directory.sync()
    };
    made().map_err(|error| refused(directory, error.to_string()))?;
    Ok(Mac::Keyed(key))
}

/// Random bytes from the system.
///
/// # Errors
/// The system's.
pub(super) fn fill(bytes: &mut [u8]) -> rustix::io::Result<()> {
    let mut filled = 0;
    while filled < bytes.len() {
        filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(())
}

fn refused(directory: &Directory, reason: String) -> AuditError {
    AuditError::Key {
        path: directory.at(KEY),
        reason,
    }
}
