//! The resolver: text, policy, one `openat2` from the root, and a look at what was opened.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

use super::call_files::{CallFiles, Need};
use super::errors::{FsError, code};
use super::place::{Place, split};
use crate::config::Hardlinks;
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;

/// Links that one path may lead through.
const MAX_LINKS: usize = 40;
/// Tries when somebody changes the path while it is being opened.
const MAX_RACES: usize = 4;
/// New files: readable by all, never executable, less the umask.
const FILE_MODE: u32 = 0o644;

/// A held directory, and the place of the entry in it that is meant.
pub(in crate::sandbox) struct Parent {
    pub(in crate::sandbox) fd: OwnedFd,
    pub(in crate::sandbox) root: usize,
    /// Path of the entry, free of links up to its last name.
    pub(in crate::sandbox) relative: String,
}

impl Parent {
    /// The last name.
    pub(in crate::sandbox) fn name(&self) -> &str {
        split(&self.relative).map_or("", |(_, name)| name)
    }
}

impl CallFiles {
    /// Opens a file or directory for reading or writing; returns what was
    /// opened, its metadata, and its path without links.
    pub(super) fn open(&self, place: &Place, flags: Open) -> Result<(OwnedFd, Stat, String), FsError> {
        let mut relative = place.relative.clone();
        for _ in 0..MAX_RACES {
            self.check_open(place.root, &relative, flags)?;
            match self.open_plain(place, &relative, flags) {
                Ok((fd, stat)) => return Ok((fd, stat, relative)),
                // A link at the end that is asked for as a directory is ENOTDIR or ELOOP.
                Err(FsError::Code(code @ (ErrorCode::Loop | ErrorCode::NotDirectory)))
                    if flags.follow && (code == ErrorCode::Loop || flags.directory) =>
                {
                    // The policy speaks of names as they are, so it is asked again about where the links lead.
                    let last = self.walk(place.root, &relative, true)?;
                    if last == relative {
                        return Err(code.into());
                    }
                    relative = last;
                }
                Err(FsError::Code(ErrorCode::Loop)) => {
                    let (directory, name) = split(&relative).ok_or(ErrorCode::Loop)?;
                    let directory = self.walk(place.root, directory, true)?;
                    let last = join(&directory, name);
                    if last == relative {
                        return Err(ErrorCode::Loop.into());
                    }
                    relative = last;
                }
                Err(error) => return Err(error),
            }
        }
        Err(ErrorCode::Loop.into())
    }

    fn check_open(&self, root: usize, relative: &str, flags: Open) -> Result<(), ErrorCode> {
        if flags.read && !flags.directory {
            self.check(root, relative, Need::Read)?;
        }
        if flags.write {
            self.check(root, relative, Need::Write)?;
        }
        if !flags.read && !flags.write || flags.directory {
            self.check(root, relative, Need::Stat)?;
        }
        Ok(())
    }

    fn open_plain(&self, place: &Place, relative: &str, flags: Open) -> Result<(OwnedFd, Stat), FsError> {
        let root = self.root(place.root);
        let access = match (flags.read, flags.write) {
            (true, true) => OFlags::RDWR,
            (false, true) => OFlags::WRONLY,
            _ => OFlags::RDONLY,
        };
        let mut bits = access | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
        if flags.directory || place.must_be_directory {
            bits |= OFlags::DIRECTORY;
        }
        if flags.write {
            // Opening a device for writing can have effects of its own: look at what it is first.
            if let Ok(seen) = self.openat2(root, relative, OFlags::PATH, Mode::empty()) {
                acceptable(&rustix::fs::fstat(&seen)?)?;
            }
        }
        let mut fd = None;
        if !(flags.create && flags.exclusive) {
            match self.openat2(root, relative, bits, Mode::empty()) {
                Ok(opened) => fd = Some(opened),
                Err(Errno::NOENT) if flags.create => {}
                Err(error) => return Err(error.into()),
            }
        }
        let fd = match fd {
            Some(fd) => fd,
            None => {
                self.check(place.root, relative, Need::Create)?;
                if self.is_below_pin(place.root, relative) {
                    return Err(ErrorCode::Access.into());
                }
                self.budget.take_create()?;
                self.openat2(
                    root,
                    relative,
                    bits | OFlags::CREATE | OFlags::EXCL,
                    Mode::from_raw_mode(FILE_MODE),
                )?
            }
        };
        let stat = self.unpinned(place.root, relative, rustix::fs::fstat(&fd)?)?;
        let kind = acceptable(&stat)?;
        if kind == FileType::RegularFile {
            self.check_links(&stat, flags.write)?;
        }
        if kind == FileType::Directory && flags.write {
            return Err(ErrorCode::IsDirectory.into());
        }
        // Whoever runs such a file runs it with the rights of its owner, and a privileged host would leave it so.
        if kind == FileType::RegularFile && flags.write && stat.st_mode & 0o6000 != 0 {
            return Err(ErrorCode::NotPermitted.into());
        }
        if flags.truncate && flags.write {
            rustix::fs::ftruncate(&fd, 0)?;
        }
        Ok((fd, stat))
    }

    /// Whether a file with several names may be used: the others may lie where nothing is allowed.
    pub(super) fn check_links(&self, stat: &Stat, write: bool) -> Result<(), ErrorCode> {
        match self.options.hardlinks {
            _ if stat.st_nlink <= 1 => Ok(()),
            Hardlinks::Deny => Err(ErrorCode::NotPermitted),
            Hardlinks::DenyWrite if write => Err(ErrorCode::NotPermitted),
            _ => Ok(()),
        }
    }

    /// Holds whatever stands under a name, a link as it is, without opening it.
    pub(in crate::sandbox) fn entry(&self, parent: &Parent) -> Result<(OwnedFd, Stat), FsError> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW;
        let fd = self.openat2(self.root(parent.root), &parent.relative, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&fd)?;
        Ok((fd, stat))
    }

    /// Metadata of any object. `follow` decides about a link at the end only.
    pub(super) fn stat(&self, place: &Place, follow: bool) -> Result<Stat, FsError> {
        let mut relative = place.relative.clone();
        for _ in 0..MAX_RACES {
            self.check(place.root, &relative, Need::Stat)?;
            let mut bits = OFlags::PATH;
            if !follow && !place.must_be_directory {
                bits |= OFlags::NOFOLLOW;
            }
            if place.must_be_directory {
                bits |= OFlags::DIRECTORY;
            }
            match self.openat2(self.root(place.root), &relative, bits, Mode::empty()) {
                Ok(fd) => return Ok(self.unpinned(place.root, &relative, rustix::fs::fstat(&fd)?)?),
                Err(Errno::LOOP) => {
                    let last = self.follow(place.root, &relative, follow || place.must_be_directory)?;
                    if last == relative {
                        return Err(ErrorCode::Loop.into());
                    }
                    relative = last;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(ErrorCode::Loop.into())
    }

    /// Opens the directory that holds an entry, and checks the need on the
    /// entry by its path without links.
    pub(in crate::sandbox) fn parent(&self, root: usize, relative: &str, need: Need) -> Result<Parent, FsError> {
        self.check(root, relative, need)?;
        let (directory, name) = split(relative).ok_or(ErrorCode::Invalid)?;
        let (fd, directory) = self.directory(root, directory)?;
        let relative = join(&directory, name);
        self.check(root, &relative, need)?;
        Ok(Parent { fd, root, relative })
    }

    /// Holds a directory by name, following links within the scope.
    pub(in crate::sandbox) fn directory(&self, root: usize, relative: &str) -> Result<(OwnedFd, String), FsError> {
        let mut relative = relative.to_owned();
        for _ in 0..MAX_RACES {
            match self.openat2(
                self.root(root),
                &relative,
                OFlags::PATH | OFlags::DIRECTORY,
                Mode::empty(),
            ) {
                Ok(fd) => {
                    if !self.scope.pins().is_empty() {
                        self.unpinned(root, &relative, rustix::fs::fstat(&fd)?)?;
                    }
                    return Ok((fd, relative));
                }
                // A link at the end that is asked for as a directory is ENOTDIR or ELOOP.
                Err(error @ (Errno::LOOP | Errno::NOTDIR)) => {
                    let last = self.walk(root, &relative, true)?;
                    if last == relative {
                        return Err(error.into());
                    }
                    relative = last;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(ErrorCode::Loop.into())
    }

    fn follow(&self, root: usize, relative: &str, last: bool) -> Result<String, FsError> {
        if last {
            return self.walk(root, relative, true);
        }
        let (directory, name) = split(relative).ok_or(ErrorCode::Loop)?;
        Ok(join(&self.walk(root, directory, true)?, name))
    }

    /// Looks at a path name by name and puts links in place of what they
    /// stand for. The result is opened with links refused again, so nothing
    /// that changes meanwhile can lead elsewhere.
    fn walk(&self, root: usize, relative: &str, follow_last: bool) -> Result<String, FsError> {
        let mut pending: Vec<String> = relative.split('/').rev().map(str::to_owned).collect();
        let mut done = String::new();
        let mut links = 0;
        while let Some(name) = pending.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    // `done` holds no links, so its last name is the parent's entry.
                    if done.is_empty() {
                        return Err(ErrorCode::NotPermitted.into());
                    }
                    done.truncate(done.rfind('/').unwrap_or(0));
                    continue;
                }
                _ => {}
            }
            let here = join(&done, &name);
            if self.is_denied(root, &here) {
                return Err(ErrorCode::NoEntry.into());
            }
            let fd = match self.openat2(self.root(root), &here, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(fd) => fd,
                // What is about to be created does not exist yet.
                Err(Errno::NOENT) if pending.is_empty() => return Ok(here),
                Err(error) => return Err(error.into()),
            };
            let is_link = FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) == FileType::Symlink;
            if !is_link || (pending.is_empty() && !follow_last) {
                done = here;
                continue;
            }
            links += 1;
            if links > MAX_LINKS {
                return Err(ErrorCode::Loop.into());
            }
            let target = rustix::fs::readlinkat(&fd, "", Vec::new())?;
            let target = target.to_str().map_err(|_| ErrorCode::IllegalByteSequence)?;
            if target.starts_with('/') {
                return Err(ErrorCode::NotPermitted.into());
            }
            pending.extend(target.split('/').rev().map(str::to_owned));
        }
        Ok(done)
    }

    /// One system call from the root: below it, through no link, no magic
    /// link and, unless the scope says otherwise, no other mount.
    fn openat2(&self, root: BorrowedFd<'_>, relative: &str, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        if !self.options.cross_device {
            resolve |= ResolveFlags::NO_XDEV;
        }
        let path = if relative.is_empty() { "." } else { relative };
        let mut tries = 0;
        loop {
            match rustix::fs::openat2(root, path, flags | OFlags::CLOEXEC, mode, resolve) {
                Err(Errno::INTR) => {}
                // Cannot happen without `..`, but the kernel reserves the right.
                Err(Errno::AGAIN) if tries < 3 => tries += 1,
                Err(Errno::AGAIN) => return Err(Errno::IO),
                other => return other,
            }
        }
    }
}

/// How something is opened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Open {
    pub(super) read: bool,
    pub(super) write: bool,
    pub(super) create: bool,
    pub(super) exclusive: bool,
    pub(super) truncate: bool,
    pub(super) directory: bool,
    /// Follow a link at the end of the path.
    pub(super) follow: bool,
}

/// Only regular files and directories are ever opened: anything else can
/// block, or act on being opened.
fn acceptable(stat: &Stat) -> Result<FileType, ErrorCode> {
    match FileType::from_raw_mode(stat.st_mode) {
        kind @ (FileType::RegularFile | FileType::Directory) => Ok(kind),
        FileType::Symlink => Err(ErrorCode::Loop),
        _ => Err(ErrorCode::NotPermitted),
    }
}

pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_owned()
    } else {
        format!("{directory}/{name}")
    }
}

impl From<Errno> for ErrorCode {
    fn from(error: Errno) -> Self {
        code(error)
    }
}
