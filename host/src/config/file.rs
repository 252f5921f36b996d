//! Reads one configuration file: a regular file of bounded size, in UTF-8, that nobody else may change.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// Longest accepted file, in bytes: more than anybody writes by hand.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// The BLAKE3 digest of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(blake3::Hash);

impl Digest {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes))
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(Self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.to_hex().fmt(f)
    }
}

/// What one reading of a file found. Text and digest are of the same bytes.
#[derive(Debug)]
pub(super) struct FileText {
    pub(super) text: String,
    pub(super) digest: Digest,
}

/// Whose file it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Whoever: the operator named the file.
    Any,
    /// This user or root: the file was found, not named.
    Ours,
}

/// Reads the file, without waiting for anything that is not a regular file.
pub(super) fn read(path: &Path, owner: Owner) -> Result<FileText, String> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = File::options()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    private(path, &metadata, owner)?;
    if metadata.len() > MAX_FILE_BYTES {
        return Err(format!(
            "it has {} bytes; at most {MAX_FILE_BYTES} are read",
            metadata.len()
        ));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("it has more than {MAX_FILE_BYTES} bytes"));
    }
    let digest = Digest::of(&bytes);
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        format!("it is not UTF-8; the first wrong byte is at offset {offset}")
    })?;
    Ok(FileText { text, digest })
}

/// Whether only this user and root may have written this.
pub(super) fn private(path: &Path, metadata: &std::fs::Metadata, owner: Owner) -> Result<(), String> {
    let me = rustix::process::geteuid().as_raw();
    let word = shell_word(path);
    if owner == Owner::Ours && metadata.uid() != me && metadata.uid() != 0 {
        return Err(format!(
            "it belongs to user {}, and this is user {me}; if it is meant for you, run `chown {me} {word}` as root, or \
             name a configuration with --config",
            metadata.uid()
        ));
    }
    // The bit for others; a group of its own for each user is the usual set-up. In a directory
    // with the sticky bit nobody can replace what is not theirs, and files are looked at one by one.
    let is_sticky = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
    if metadata.mode() & 0o002 != 0 && !is_sticky {
        let mode = metadata.mode() & 0o7777;
        return Err(format!(
            "everybody may write to it (mode {mode:o}); run `chmod o-w {word}`"
        ));
    }
    Ok(())
}

/// A path as one word for a POSIX shell.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let harmless = |char: char| char.is_ascii_alphanumeric() || "-_./:=@%+,".contains(char);
    if text.chars().all(harmless) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
