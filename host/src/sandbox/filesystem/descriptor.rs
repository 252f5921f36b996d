//! What a guest's file handles stand for.

use std::os::fd::OwnedFd;
use std::sync::Arc;

/// An open file, or a directory by name.
#[derive(Debug)]
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub struct Descriptor {
    pub(super) root: usize,
    /// Normalised path below the root. Everything reached through a directory
    /// is looked up by this name from the root again, so that a directory
    /// moved elsewhere does not take the guest with it.
    pub(super) relative: String,
    pub(super) object: Object,
}

#[derive(Debug)]
pub(super) enum Object {
    File {
        fd: Arc<OwnedFd>,
        readable: bool,
        writable: bool,
        /// What it was when it was opened.
        stamp: Stamp,
    },
    Directory {
        /// Opened for listing; taken by the first listing, absent for preopens.
        fd: std::sync::Mutex<Option<OwnedFd>>,
    },
}

/// What tells one state of a file from another: which file it is, its length
/// and its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(unreachable_pub)] // part of a type that the generated bindings name
pub struct Stamp {
    object: (u64, u64),
    pub(super) size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

#[allow(clippy::unnecessary_cast)] // the types differ between architectures
impl From<&rustix::fs::Stat> for Stamp {
    fn from(stat: &rustix::fs::Stat) -> Self {
        Self {
            object: (stat.st_dev as u64, stat.st_ino as u64),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

impl Descriptor {
    /// A directory that is handed to the guest at start.
    pub(in crate::sandbox) fn preopen(root: usize, relative: String) -> Self {
        Self {
            root,
            relative,
            object: Object::Directory {
                fd: std::sync::Mutex::new(None),
            },
        }
    }

    /// The length in bytes that an open file had at first.
    pub(super) fn size(&self) -> Option<u64> {
        match &self.object {
            Object::File { stamp, .. } => Some(stamp.size),
            Object::Directory { .. } => None,
        }
    }

    /// Where an open file lies, and what it was at first.
    pub(in crate::sandbox) fn exact(&self) -> Option<(usize, &str, Stamp)> {
        match &self.object {
            Object::File { stamp, .. } => Some((self.root, &self.relative, *stamp)),
            Object::Directory { .. } => None,
        }
    }

    pub(super) fn file(&self) -> Option<(&Arc<OwnedFd>, bool, bool)> {
        match &self.object {
            Object::File {
                fd, readable, writable, ..
            } => Some((fd, *readable, *writable)),
            Object::Directory { .. } => None,
        }
    }
}

/// A directory being read, entry by entry.
#[allow(unreachable_pub)] // the generated bindings name it in a public place
pub struct Listing {
    pub(super) entries: rustix::fs::Dir,
    pub(super) root: usize,
    pub(super) relative: String,
    /// Whether each entry must be held to the policy, whatever its name.
    pub(super) filter: bool,
}
