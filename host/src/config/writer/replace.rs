//! One file, replaced as a whole while nobody else writes it.

use std::fs::{self, DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use crate::config::file::{self, Owner};

/// How long another writer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the file is, with the lock of its directory: the file itself changes its identity
/// with each replacement.
pub(super) struct Place {
    target: PathBuf,
    directory: File,
}

impl Place {
    /// Follows links, makes the directory if need be, and waits for other writers.
    pub(super) fn lock(file: &Path) -> Result<Self, String> {
        let target = match file.canonicalize() {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound => missing(file)?,
            Err(error) => return Err(error.to_string()),
        };
        let folder = target.parent().ok_or("it is no file")?;
        let directory = File::open(folder).map_err(|error| format!("its directory: {error}"))?;
        let until = Instant::now() + PATIENCE;
        loop {
            match rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(Errno::WOULDBLOCK) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                Err(Errno::WOULDBLOCK) => return Err("another process has been writing for too long".to_owned()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(format!("its directory cannot be locked: {error}")),
            }
        }
        Ok(Self { target, directory })
    }

    /// What the file says now; `None` if there is none.
    pub(super) fn read(&self) -> Result<Option<String>, String> {
        if self.target.symlink_metadata().is_err() {
            return Ok(None);
        }
        file::read(&self.target, Owner::Any)
            .map(|read| Some(read.text))
            .map_err(|reason| format!("cannot be read: {reason}"))
    }

    /// Puts a whole new file in the place of the old one, with its permissions and owner.
    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        let io = |error: std::io::Error| format!("cannot be written: {error}");
        let old = self.target.metadata().ok();
        let name = self.target.file_name().unwrap_or_default().to_string_lossy();
        let new = self.target.with_file_name(format!(".{name}.new"));
        // A leftover of a process that died; the lock is ours.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(io(error)),
            _ => {}
        }
        let written = (|| {
            let mut file = File::options()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
                .open(&new)?;
            file.write_all(text.as_bytes())?;
            if let Some(old) = &old {
                file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o7777))?;
                // Only root can, and only root needs to.
                let _ = std::os::unix::fs::fchown(&file, Some(old.uid()), Some(old.gid()));
            }
            file.sync_all()?;
            fs::rename(&new, &self.target)
        })();
        if let Err(error) = written {
            let _ = fs::remove_file(&new);
            return Err(io(error));
        }
        self.directory.sync_all().map_err(io)
    }
}

/// The place of a file that does not exist yet.
fn missing(file: &Path) -> Result<PathBuf, String> {
    if file.symlink_metadata().is_ok() {
        return Err("it is a link to something that does not exist".to_owned());
    }
    let absolute = std::path::absolute(file).map_err(|error| error.to_string())?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Err("it is no file".to_owned());
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .and_then(|()| folder.canonicalize())
        .map(|folder| folder.join(name))
        .map_err(|error| format!("its directory: {error}"))
}
