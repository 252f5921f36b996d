//! Listing: entries as they come from the kernel, with the type it gives, none held in memory.

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};

use super::call_files::{CallFiles, Need};
use super::descriptor::{Descriptor, Listing, Object};
use super::errors::FsError;
use super::metadata::descriptor_type;
use super::open::join;
use crate::sandbox::bindings::wasi::filesystem::types::{DirectoryEntry, ErrorCode};
use crate::scope::PathScope;

impl CallFiles {
    /// A directory by its place, for the host's own look ahead of a guest.
    pub(in crate::sandbox) fn list_place(&self, root: usize, relative: &str) -> Result<Listing, FsError> {
        self.list(&Descriptor::preopen(root, relative.to_owned()))
    }

    pub(super) fn list(&self, descriptor: &Descriptor) -> Result<Listing, FsError> {
        let Object::Directory { fd } = &descriptor.object else {
            return Err(ErrorCode::NotDirectory.into());
        };
        self.check(descriptor.root, &descriptor.relative, Need::List)?;
        let opened = fd.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let fd = match opened {
            Some(fd) => fd,
            None => {
                let (held, _) = self.directory(descriptor.root, &descriptor.relative)?;
                rustix::fs::openat(
                    &held,
                    ".",
                    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOCTTY,
                    Mode::empty(),
                )?
            }
        };
        Ok(Listing {
            entries: Dir::new(fd)?,
            root: descriptor.root,
            relative: descriptor.relative.clone(),
            filter: !self.is_uniform(descriptor.root, &descriptor.relative),
        })
    }

    /// The next entry. Names that are not UTF-8 cannot be spoken of at this
    /// boundary and are left out; denied ones are left out as if absent.
    pub(in crate::sandbox) fn next_entry(&self, listing: &mut Listing) -> Result<Option<DirectoryEntry>, FsError> {
        while let Some(entry) = listing.entries.read() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            let Ok(name) = entry.file_name().to_str() else {
                continue;
            };
            if name == "." || name == ".." {
                continue;
            }
            if crate::sandbox::files::is_unfinished(name) {
                continue;
            }
            if (listing.filter || PathScope::may_hide(name))
                && self.is_denied(listing.root, &join(&listing.relative, name))
            {
                continue;
            }
            if self.scope.pins().may_hold(entry.ino()) {
                let fd = listing.entries.fd()?;
                let stat = rustix::fs::statat(fd, name, AtFlags::SYMLINK_NOFOLLOW);
                if stat.is_ok_and(|stat| self.scope.pins().hold(&stat)) {
                    continue;
                }
            }
            let mut kind = entry.file_type();
            if kind == FileType::Unknown {
                let fd = listing.entries.fd()?;
                match rustix::fs::statat(fd, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => kind = FileType::from_raw_mode(stat.st_mode),
                    // Gone since: not an entry any more.
                    Err(rustix::io::Errno::NOENT) => continue,
                    Err(error) => return Err(error.into()),
                }
            }
            return Ok(Some(DirectoryEntry {
                type_: descriptor_type(kind),
                name: name.to_owned(),
            }));
        }
        Ok(None)
    }
}
