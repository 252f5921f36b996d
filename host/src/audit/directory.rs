//! The private directory and the files in it.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::AuditError;

/// The file that is written.
pub(super) const CURRENT: &str = "audit.jsonl";
/// Highest number of a file: at one a second, enough for thirty thousand years. Numbers above it
/// are somebody else's, and one can be added to those below.
pub(super) const MAX_NUMBER: u64 = 1_000_000_000_000;
/// Locked by whoever writes.
pub(super) const LOCK: &str = "audit.lock";

/// An open directory. Files are reached through it only, never through a link.
pub(super) struct Directory {
    fd: OwnedFd,
    path: PathBuf,
}

impl Directory {
    /// Opens the directory of the log.
    ///
    /// # Errors
    /// It is missing, or belongs to somebody else, or others can enter it.
    pub(super) fn open(path: &Path) -> Result<Self, AuditError> {
        let refuse = |reason: String| AuditError::Directory {
            path: path.to_owned(),
            reason,
        };
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| refuse(error.to_string()))?;
        let stat = rustix::fs::fstat(&fd).map_err(|error| refuse(error.to_string()))?;
        if stat.st_uid != rustix::process::geteuid().as_raw() {
            return Err(refuse(format!("it belongs to user {}", stat.st_uid)));
        }
        if stat.st_mode & 0o077 != 0 {
            let mode = stat.st_mode & 0o777;
            return Err(refuse(format!(
                "its mode is {mode:04o}, so others can enter it; 0700 is needed"
            )));
        }
        Ok(Self {
            fd,
            path: path.to_owned(),
        })
    }

    /// As [`Self::open`], but makes the directory (mode 0700) if there is none.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(super) fn create(path: &Path) -> Result<Self, AuditError> {
        use std::os::unix::fs::DirBuilderExt;
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| AuditError::Directory {
                path: path.to_owned(),
                reason: error.to_string(),
            })?;
        Self::open(path)
    }

    /// A file's whole path, for messages.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The error of something done to a file.
    pub(super) fn error(&self, name: &str, error: impl std::fmt::Display) -> AuditError {
        AuditError::File {
            path: self.at(name),
            reason: error.to_string(),
        }
    }

    /// Opens a regular file that is there; new ones get mode 0600, and others are narrowed to it.
    /// `None` if there is none and none is made.
    ///
    /// # Errors
    /// The system's, and if it is no regular file.
    pub(super) fn file(&self, name: &str, flags: OFlags) -> io::Result<Option<File>> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = match rustix::fs::openat(&self.fd, name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let stat = rustix::fs::fstat(&fd)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("it is not a regular file"));
        }
        if stat.st_mode & 0o077 != 0 && flags.intersects(OFlags::RDWR | OFlags::WRONLY) {
            rustix::fs::fchmod(&fd, Mode::RUSR | Mode::WUSR)?;
        }
        Ok(Some(File::from(fd)))
    }

    /// What the system knows of a file.
    ///
    /// # Errors
    /// The system's, except that a missing file is `None`.
    pub(super) fn stat(&self, name: &str) -> io::Result<Option<Stat>> {
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives a file another name, unless that is taken.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        rustix::fs::renameat_with(&self.fd, from, &self.fd, to, rustix::fs::RenameFlags::NOREPLACE)?;
        Ok(())
    }

    /// Makes the current file the finished one of this number. What somebody put in its place is
    /// set aside: it does not stop the log.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn finish(&self, number: u64) -> io::Result<()> {
        let name = finished_name(number);
        if self.stat(&name)?.is_some() {
            tracing::warn!(target: "toolgate::audit", name, "this file does not belong to the audit log and is set aside");
            rustix::fs::renameat(&self.fd, &name, &self.fd, format!("{name}.foreign"))?;
        }
        self.rename(CURRENT, &name)
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())?;
        Ok(())
    }

    /// Puts names of new files on the disk.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn sync(&self) -> io::Result<()> {
        rustix::fs::fsync(&self.fd)?;
        Ok(())
    }

    /// The numbers of the finished files, lowest first.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn finished(&self) -> io::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            numbers.extend(entry.file_name().to_str().ok().and_then(number));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// The name of the finished file of this number.
pub(super) fn finished_name(number: u64) -> String {
    format!("audit-{number:06}.jsonl")
}

fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("audit-")?.strip_suffix(".jsonl")?;
    let number = digits.parse().ok()?;
    (number <= MAX_NUMBER && finished_name(number) == name).then_some(number)
}
