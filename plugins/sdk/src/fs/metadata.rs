//! What is known of a file without reading it.

use crate::bindings::wasi::filesystem::types as wasi;

/// What kind of thing a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, not followed.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block device.
    BlockDevice,
    /// A character device.
    CharacterDevice,
    /// Something that the host has no name for.
    Unknown,
}

impl Kind {
    /// `None` if the host does not know without asking for the metadata.
    pub(super) fn from_wasi(kind: wasi::DescriptorType) -> Option<Self> {
        use wasi::DescriptorType as T;
        Some(match kind {
            T::RegularFile => Self::File,
            T::Directory => Self::Directory,
            T::SymbolicLink => Self::Symlink,
            T::Fifo => Self::Fifo,
            T::Socket => Self::Socket,
            T::BlockDevice => Self::BlockDevice,
            T::CharacterDevice => Self::CharacterDevice,
            T::Unknown => return None,
        })
    }

    /// With article, for messages.
    pub fn described(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Directory => "a directory",
            Self::Symlink => "a symbolic link",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::BlockDevice => "a block device",
            Self::CharacterDevice => "a character device",
            Self::Unknown => "of unknown type",
        }
    }

    /// The word used in results: `file`, `dir`, `symlink` or `other`.
    pub fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "dir",
            Self::Symlink => "symlink",
            _ => "other",
        }
    }
}

/// Metadata of a file or directory.
#[derive(Debug, Clone, Copy)]
pub struct Metadata {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes; of a symbolic link the length of its text, of a directory whatever the
    /// filesystem reports.
    pub size: u64,
    /// Time of the last change of the content, in whole seconds since 1970-01-01 UTC. Absent if
    /// the filesystem has none or it lies before that.
    pub modified: Option<u64>,
}

impl From<wasi::DescriptorStat> for Metadata {
    fn from(stat: wasi::DescriptorStat) -> Self {
        Self {
            kind: Kind::from_wasi(stat.type_).unwrap_or(Kind::Unknown),
            size: stat.size,
            modified: stat.data_modification_timestamp.map(|time| time.seconds),
        }
    }
}
