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
        /// Length in bytes when it was opened.
        size: u64,
    },
    Directory {
        /// Opened for listing; taken by the first listing, absent for preopens.
        fd: std::sync::Mutex<Option<OwnedFd>>,
    },
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
            Object::File { size, .. } => Some(*size),
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
    /// Whether each entry must be held to the deny list.
    pub(super) filter: bool,
}
