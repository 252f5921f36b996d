//! A new content for a file: written aside, made durable, put in place in one step.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;

use super::pending::Note;
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;
use crate::sandbox::filesystem::{CallFiles, Descriptor, FsError, Need, Parent, Stamp};

/// Permission bits of a new file, less the umask.
const NEW_MODE: u32 = 0o644;
/// Permission bits of new parent directories, less the umask.
const PARENT_MODE: u32 = 0o755;

/// An unfinished replacement. It has no name until it is put in place, so
/// that a process that dies leaves nothing behind.
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub struct Replacement {
    parent: Parent,
    /// Directories in which parents were made: their entries must last as well.
    above: Vec<OwnedFd>,
    file: OwnedFd,
    /// The name, on file systems that cannot make nameless files.
    named: Option<Note>,
    before: Option<Stat>,
    /// What must still stand there when the replacement is put in place.
    expected: Option<Stamp>,
    written: u64,
    committed: bool,
}

impl Replacement {
    pub(super) fn begin(files: &CallFiles, descriptor: &Descriptor, path: &str) -> Result<Self, FsError> {
        let (root, relative) = files.place_of(descriptor, path)?;
        files.check(root, &relative, Need::Create)?;
        files.check(root, &relative, Need::Write)?;
        let above = make_parents(files, root, &relative)?;
        let parent = files.parent(root, &relative, Need::Write)?;
        let before = match files.entry(&parent) {
            Ok((_, stat)) => Some(stat),
            Err(FsError::Code(ErrorCode::NoEntry)) => None,
            Err(error) => return Err(error),
        };
        if let Some(stat) = &before {
            files.check_pins(&parent, stat, ErrorCode::Access)?;
            replaceable(stat)?;
        }
        if before.is_none() {
            files.check(root, &parent.relative, Need::Create)?;
            files.budget.take_create()?;
        }
        let (file, named) = create(files, &parent)?;
        Ok(Self {
            parent,
            above,
            file,
            named,
            before,
            expected: None,
            written: 0,
            committed: false,
        })
    }

    /// The replacement of exactly the open file: it stands in nobody's way.
    pub(super) fn begin_exact(files: &CallFiles, descriptor: &Descriptor) -> Result<Self, FsError> {
        let (root, relative, stamp) = descriptor.exact().ok_or(ErrorCode::IsDirectory)?;
        let parent = files.parent(root, relative, Need::Write)?;
        let (_, stat) = files.entry(&parent)?;
        replaceable(&stat)?;
        let (file, named) = create(files, &parent)?;
        Ok(Self {
            parent,
            above: Vec::new(),
            file,
            named,
            before: Some(stat),
            expected: Some(stamp),
            written: 0,
            committed: false,
        })
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FsError> {
        if self.committed {
            return Err(ErrorCode::BadDescriptor.into());
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            match rustix::io::write(&self.file, rest) {
                Ok(0) => return Err(ErrorCode::Io.into()),
                Ok(count) => {
                    rest = &rest[count..];
                    self.written += count as u64;
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Order matters: content and bits reach the disk before the name does,
    /// and the name before the caller hears that it is done.
    pub(super) fn commit(&mut self, files: &CallFiles) -> Result<bool, FsError> {
        if self.committed {
            return Err(ErrorCode::BadDescriptor.into());
        }
        self.keep_mode()?;
        rustix::fs::fsync(&self.file)?;
        // As late as can be: what is left is the moment between this look and the rename.
        if let Some(expected) = self.expected {
            match files.entry(&self.parent) {
                Ok((_, stat)) if Stamp::from(&stat) == expected => {}
                Ok(_) | Err(FsError::Code(ErrorCode::NoEntry)) => return Err(ErrorCode::Busy.into()),
                Err(error) => return Err(error),
            }
        }
        let name = self.parent.name().to_owned();
        let linked = match (&self.named, &self.before) {
            // A new file gets its only name at once.
            (None, None) => match link(&self.file, &self.parent.fd, &name) {
                Ok(()) => true,
                // Somebody else made one meanwhile: the later writer wins.
                Err(Errno::EXIST) => false,
                Err(error) => return Err(error.into()),
            },
            _ => false,
        };
        if !linked {
            let note = match self.named.take() {
                Some(note) => note,
                None => {
                    let note = Note::new(files, &self.parent)?;
                    if let Err(error) = link(&self.file, &self.parent.fd, note.name()) {
                        note.done();
                        return Err(error.into());
                    }
                    note
                }
            };
            if let Err(error) = rustix::fs::renameat(&self.parent.fd, note.name(), &self.parent.fd, &*name) {
                note.remove(&self.parent.fd);
                return Err(error.into());
            }
            note.done();
        }
        self.committed = true;
        for directory in self.above.iter().chain([&self.parent.fd]) {
            sync_directory(directory)?;
        }
        // A link is only ever replaced when it led to nothing that could be written.
        let was_file = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        Ok(!self.before.as_ref().is_some_and(was_file))
    }

    /// The old file's bits and, where permitted, its owner; never wider.
    fn keep_mode(&self) -> Result<(), FsError> {
        let Some(before) = &self.before else {
            return Ok(());
        };
        if FileType::from_raw_mode(before.st_mode) != FileType::RegularFile {
            return Ok(());
        }
        let now = rustix::fs::fstat(&self.file)?;
        if (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid) {
            let owner = Some(Uid::from_raw(before.st_uid));
            let group = Some(Gid::from_raw(before.st_gid));
            // Not permitted to most: then the file belongs to whoever wrote it.
            let _ = rustix::fs::fchown(&self.file, owner, group);
        }
        // The set-user and set-group bits were given to the old content, not to this one.
        rustix::fs::fchmod(&self.file, Mode::from_raw_mode(before.st_mode & 0o1777))?;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(note) = self.named.take() {
            note.remove(&self.parent.fd);
        }
    }
}

/// What stands there must be a file that this process may write, or a link,
/// which is replaced and not followed.
fn replaceable(stat: &Stat) -> Result<(), FsError> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => Ok(()),
        FileType::RegularFile => {
            // Root may write anything, but a file without any write bit says that it should stay.
            let writable = if rustix::process::geteuid().is_root() {
                stat.st_mode & 0o222 != 0
            } else if rustix::process::geteuid().as_raw() == stat.st_uid {
                stat.st_mode & 0o200 != 0
            } else {
                stat.st_mode & 0o022 != 0
            };
            if writable { Ok(()) } else { Err(super::READ_ONLY.into()) }
        }
        FileType::Directory => Err(ErrorCode::IsDirectory.into()),
        _ => Err(ErrorCode::NotPermitted.into()),
    }
}

fn create(files: &CallFiles, parent: &Parent) -> Result<(OwnedFd, Option<Note>), FsError> {
    let mode = Mode::from_raw_mode(NEW_MODE);
    match rustix::fs::openat(
        &parent.fd,
        ".",
        OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC,
        mode,
    ) {
        Ok(fd) => Ok((fd, None)),
        Err(Errno::NOTSUP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => {
            let note = Note::new(files, parent)?;
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            match rustix::fs::openat(&parent.fd, note.name(), flags, mode) {
                Ok(fd) => Ok((fd, Some(note))),
                Err(error) => {
                    note.done();
                    Err(error.into())
                }
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Gives a nameless file a name. Without a capability this goes through procfs.
fn link(file: &OwnedFd, directory: &OwnedFd, name: &str) -> Result<(), Errno> {
    use std::os::fd::AsRawFd;
    match rustix::fs::linkat(file, "", directory, name, AtFlags::EMPTY_PATH) {
        Err(Errno::NOENT | Errno::PERM) => {
            let path = format!("/proc/self/fd/{}", file.as_raw_fd());
            rustix::fs::linkat(rustix::fs::CWD, &*path, directory, name, AtFlags::SYMLINK_FOLLOW)
        }
        other => other,
    }
}

/// Makes the entries of a directory durable.
fn sync_directory(held: &OwnedFd) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::openat(held, ".", flags, Mode::empty())?;
    rustix::fs::fsync(directory)
}

/// Makes the missing directories above a file, each held to the policy, and
/// returns the directories that have new entries now.
fn make_parents(files: &CallFiles, root: usize, relative: &str) -> Result<Vec<OwnedFd>, FsError> {
    let ends: Vec<usize> = relative.match_indices('/').map(|(end, _)| end).collect();
    // From the bottom up to the first directory that exists, then down again.
    let mut missing = Vec::new();
    for &end in ends.iter().rev() {
        match files.directory(root, &relative[..end]) {
            Ok(_) => break,
            Err(FsError::Code(ErrorCode::NoEntry)) => missing.push(end),
            Err(error) => return Err(error),
        }
    }
    let mut above_made = Vec::new();
    for end in missing.into_iter().rev() {
        let directory = &relative[..end];
        if !files.may_make_parent(root, directory) {
            return Err(ErrorCode::Access.into());
        }
        let (above, name) = directory.rsplit_once('/').unwrap_or(("", directory));
        let (held, above) = files.directory(root, above)?;
        let here = if above.is_empty() {
            name.to_owned()
        } else {
            format!("{above}/{name}")
        };
        if files.is_denied(root, &here) || files.is_kept(root, &here) {
            return Err(ErrorCode::Access.into());
        }
        files.budget.take_create()?;
        match rustix::fs::mkdirat(&held, name, Mode::from_raw_mode(PARENT_MODE)) {
            Ok(()) => above_made.push(held),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(above_made)
}
