//! Which project files the operator trusts: by path and digest, so that an edit ends the trust.
//! Called by `layers` and by the verb that trusts. The store lies in the state directory, which no tool can reach.
//! Must not touch: what a file says.

use std::fs::{self, DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::file::{self, Digest, Owner};
use super::origin::Origin;
use super::problem::Remark;

/// Why trust could not be recorded or withdrawn.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TrustError {
    /// The store, or the file to trust.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// One trusted file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustEntry {
    /// The file, by its resolved name.
    pub path: PathBuf,
    /// The BLAKE3 digest of what was trusted, in hexadecimal.
    pub digest: String,
    /// When, in seconds since 1970.
    pub since: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    version: u32,
    trusted: Vec<TrustEntry>,
}

/// The trusted files of this user.
#[derive(Debug)]
pub struct TrustStore {
    file: Option<PathBuf>,
    entries: Vec<TrustEntry>,
    unusable: Option<String>,
}

impl TrustStore {
    /// Reads the store of a state directory. One that cannot be read, or that
    /// somebody else could have written, trusts nothing.
    pub fn open(state: Option<&Path>) -> Self {
        let file = state.map(|state| state.join("trust.json"));
        let (entries, unusable) = match file.as_deref().map(read) {
            None => (Vec::new(), None),
            Some(Ok(entries)) => (entries, None),
            Some(Err(reason)) => (Vec::new(), Some(reason)),
        };
        Self {
            file,
            entries,
            unusable,
        }
    }

    /// The file of the store; it need not exist.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Why nothing is trusted, if the store cannot be used.
    pub fn remark(&self) -> Option<Remark> {
        Some(Remark {
            origin: Origin::file(self.file.as_deref()?, None),
            key: String::new(),
            text: format!(
                "nothing is trusted, since the list cannot be used: {}",
                self.unusable.as_ref()?
            ),
        })
    }

    /// Everything trusted.
    pub fn entries(&self) -> &[TrustEntry] {
        &self.entries
    }

    /// Whether this file, by its resolved name, is trusted with this content.
    pub fn trusts(&self, path: &Path, digest: Digest) -> bool {
        let digest = digest.to_string();
        self.entries
            .iter()
            .any(|entry| entry.path == path && entry.digest == digest)
    }

    /// Whether the file is there with the content that was trusted.
    pub fn holds(&self, entry: &TrustEntry) -> bool {
        file::read(&entry.path, Owner::Ours).is_ok_and(|read| self.trusts(&entry.path, read.digest))
    }

    /// Trusts a file with the content that was shown to the operator; what it
    /// was trusted with before is forgotten.
    ///
    /// # Errors
    /// The content has changed since, or the store cannot be written.
    pub fn trust(&mut self, path: &Path, digest: Digest) -> Result<(), TrustError> {
        let fail = |reason: String| TrustError {
            path: path.to_owned(),
            reason,
        };
        let resolved = path.canonicalize().map_err(|error| fail(error.to_string()))?;
        let now = file::read(&resolved, Owner::Ours).map_err(fail)?;
        if now.digest != digest {
            return Err(fail("it has changed since it was looked at; look again".to_owned()));
        }
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        self.change(|entries| {
            entries.retain(|entry| entry.path != resolved);
            entries.push(TrustEntry {
                path: resolved.clone(),
                digest: digest.to_string(),
                since,
            });
        })
    }

    /// Ends the trust in a file, which need not exist any more; returns whether there was any.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn revoke(&mut self, path: &Path) -> Result<bool, TrustError> {
        let in_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
        let resolved = path.canonicalize().ok().or_else(in_folder);
        let resolved = resolved.unwrap_or_else(|| path.to_owned());
        let mut found = false;
        self.change(|entries| {
            let before = entries.len();
            entries.retain(|entry| entry.path != resolved);
            found = entries.len() < before;
        })?;
        Ok(found)
    }

    /// Changes what is stored now, not what was read earlier, one process at a time.
    fn change(&mut self, change: impl FnOnce(&mut Vec<TrustEntry>)) -> Result<(), TrustError> {
        let Some(file) = self.file.clone() else {
            return Err(TrustError {
                path: PathBuf::from("trust.json"),
                reason: "there is no state directory to keep it in".to_owned(),
            });
        };
        let fail = |reason: String| TrustError {
            path: file.clone(),
            reason,
        };
        let folder = file.parent().unwrap_or(Path::new("/"));
        let io = |error: std::io::Error| fail(error.to_string());
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(io)?;
        let lock = private_file(&folder.join("trust.lock"), false).map_err(io)?;
        lock.lock().map_err(io)?;
        let mut entries = read(&file).map_err(fail)?;
        change(&mut entries);
        let stored = Stored {
            version: 1,
            trusted: entries.clone(),
        };
        let text = serde_json::to_string_pretty(&stored).map_err(|error| fail(error.to_string()))?;
        let new = folder.join("trust.json.new");
        // A leftover of a process that died; the lock is ours.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(io(error)),
            _ => {}
        }
        let mut writer = private_file(&new, true).map_err(io)?;
        writer
            .write_all(text.as_bytes())
            .and_then(|()| writer.write_all(b"\n"))
            .map_err(io)?;
        writer.sync_all().map_err(io)?;
        fs::rename(&new, &file).map_err(io)?;
        (self.entries, self.unusable) = (entries, None);
        Ok(())
    }
}

fn private_file(path: &Path, is_new: bool) -> std::io::Result<File> {
    let mut options = File::options();
    options
        .write(true)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    if is_new {
        options.create_new(true)
    } else {
        options.create(true)
    }
    .open(path)
}

fn read(path: &Path) -> Result<Vec<TrustEntry>, String> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
        Ok(metadata) => {
            let me = rustix::process::geteuid().as_raw();
            if !metadata.is_file() || metadata.uid() != me || metadata.mode() & 0o077 != 0 {
                return Err(format!("it must be a regular file of user {me} with mode 600"));
            }
        }
    }
    let read = file::read(path, Owner::Ours)?;
    let value = crate::json::parse(&read.text).map_err(|error| error.to_string())?;
    let stored: Stored = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if stored.version != 1 {
        return Err(format!("version {} is not known", stored.version));
    }
    if let Some(entry) = stored
        .trusted
        .iter()
        .find(|entry| Digest::parse(&entry.digest).is_none())
    {
        return Err(format!("{:?} is no digest", entry.digest));
    }
    Ok(stored.trusted)
}
