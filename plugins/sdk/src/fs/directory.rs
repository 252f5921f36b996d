//! Listing directories.

use super::error::describe;
use super::{ErrorCode, File, Kind, Metadata};
use crate::Error;
use crate::bindings::wasi::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

/// An open directory.
#[derive(Debug)]
pub struct Directory {
    descriptor: Descriptor,
    path: String,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without the directory.
    pub name: String,
    /// What it is; symbolic links are not followed.
    pub kind: Kind,
}

impl Directory {
    pub(super) fn new(descriptor: Descriptor, path: &str) -> Self {
        Self {
            descriptor,
            path: path.to_owned(),
        }
    }

    /// The resolved absolute path.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn into_descriptor(self) -> Descriptor {
        self.descriptor
    }

    /// All entries in ascending byte order of name, hidden ones included. Costs no metadata
    /// lookup per entry.
    ///
    /// # Errors
    ///
    /// The directory cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>, Error> {
        entries(&self.descriptor).map_err(|code| describe(code, &self.path))
    }

    /// Opens a regular file below the directory for reading, by its relative path. Symbolic links
    /// on the way are not followed.
    ///
    /// # Errors
    ///
    /// It has vanished, permission is denied, or it is not a regular file.
    pub fn open_file(&self, relative: &str) -> Result<File, Error> {
        let path = format!("{}/{relative}", self.path.trim_end_matches('/'));
        let opened = self
            .descriptor
            .open_at(PathFlags::empty(), relative, OpenFlags::empty(), DescriptorFlags::READ);
        File::new(opened.map_err(|code| describe(code, &path))?, &path)
    }

    /// The metadata of an entry, without following a symbolic link; `None` if it is gone.
    ///
    /// # Errors
    ///
    /// The directory may be listed but not searched.
    pub fn metadata(&self, name: &str) -> Result<Option<Metadata>, Error> {
        match self.descriptor.stat_at(PathFlags::empty(), name) {
            Ok(stat) => Ok(Some(stat.into())),
            Err(ErrorCode::NoEntry) => Ok(None),
            Err(code) => Err(describe(code, &format!("{}/{name}", self.path))),
        }
    }
}

/// The entries of a directory in ascending byte order of name.
pub(super) fn entries(directory: &Descriptor) -> Result<Vec<Entry>, ErrorCode> {
    let stream = directory.read_directory()?;
    let mut entries = Vec::new();
    while let Some(entry) = stream.read_directory_entry()? {
        // Some filesystems list entries without their type.
        let kind = match Kind::from_wasi(entry.type_) {
            Some(kind) => kind,
            None => match directory.stat_at(PathFlags::empty(), &entry.name) {
                Ok(stat) => Metadata::from(stat).kind,
                Err(_) => continue,
            },
        };
        entries.push(Entry { name: entry.name, kind });
    }
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}
