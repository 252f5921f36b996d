//! Operations on names: make, remove, rename.

use rustix::fs::{AtFlags, FileType, Mode, RenameFlags};

use super::call_files::{CallFiles, Need};
use super::errors::FsError;
use super::place::Place;
use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;

/// New directories: as the catalog's tools make them, less the umask.
const DIRECTORY_MODE: u32 = 0o755;

impl CallFiles {
    pub(super) fn create_directory(&self, place: &Place) -> Result<(), FsError> {
        let parent = self.parent(place.root, &place.relative, Need::Create)?;
        self.budget.take_create()?;
        rustix::fs::mkdirat(&parent.fd, parent.name(), Mode::from_raw_mode(DIRECTORY_MODE))?;
        Ok(())
    }

    pub(super) fn remove_directory(&self, place: &Place) -> Result<(), FsError> {
        let parent = self.parent(place.root, &place.relative, Need::Delete)?;
        rustix::fs::unlinkat(&parent.fd, parent.name(), AtFlags::REMOVEDIR)?;
        Ok(())
    }

    pub(super) fn unlink_file(&self, place: &Place) -> Result<(), FsError> {
        let parent = self.parent(place.root, &place.relative, Need::Delete)?;
        if place.must_be_directory {
            return Err(ErrorCode::NotDirectory.into());
        }
        // Other programs wait at pipes and sockets by their names; no tool has made them.
        let (_, stat) = self.entry(&parent)?;
        self.check_pins(&parent, &stat, ErrorCode::NoEntry)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile | FileType::Symlink => {}
            FileType::Directory => return Err(ErrorCode::IsDirectory.into()),
            _ => return Err(ErrorCode::NotPermitted.into()),
        }
        rustix::fs::unlinkat(&parent.fd, parent.name(), AtFlags::empty())?;
        Ok(())
    }

    /// Both ends are held to the policy, and a directory may move only if
    /// nothing below it is denied under one name and allowed under the other.
    pub(super) fn rename(&self, old: &Place, new: &Place) -> Result<(), FsError> {
        if old.root != new.root {
            return Err(ErrorCode::CrossDevice.into());
        }
        let from = self.parent(old.root, &old.relative, Need::Delete)?;
        let to = self.parent(new.root, &new.relative, Need::Create)?;
        self.check(new.root, &to.relative, Need::Write)?;
        let stat = rustix::fs::statat(&from.fd, from.name(), AtFlags::SYMLINK_NOFOLLOW)?;
        self.check_pins(&from, &stat, ErrorCode::NoEntry)?;
        if let Ok(stat) = rustix::fs::statat(&to.fd, to.name(), AtFlags::SYMLINK_NOFOLLOW) {
            self.check_pins(&to, &stat, ErrorCode::Access)?;
        }
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                if old.must_be_directory || new.must_be_directory {
                    return Err(ErrorCode::NotDirectory.into());
                }
            }
            FileType::Directory => {
                let moves_rights = |relative: &str| {
                    let directory = self.absolute(old.root, relative);
                    self.scope.moves_rights(&directory, &self.own_files)
                };
                if !self.exclusions.is_empty() || moves_rights(&from.relative) || moves_rights(&to.relative) {
                    return Err(ErrorCode::NotPermitted.into());
                }
            }
            // A link resolves differently in another directory: its target is checked nowhere.
            _ => return Err(ErrorCode::NotPermitted.into()),
        }
        rustix::fs::renameat_with(&from.fd, from.name(), &to.fd, to.name(), RenameFlags::empty())?;
        Ok(())
    }
}
