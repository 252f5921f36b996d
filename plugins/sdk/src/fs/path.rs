//! Paths that a call was granted.

use std::rc::Rc;

use super::error::describe;
use super::{Directory, ErrorCode, File, Kind, Metadata, Replacement};
use crate::Error;
use crate::bindings::exports::toolgate::plugin::tool;
use crate::bindings::toolgate::plugin::files;
use crate::bindings::wasi::filesystem::preopens;
use crate::bindings::wasi::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

/// One granted path. Nothing is opened until a method asks for it, and no method can reach
/// anything that the grant does not cover.
#[derive(Debug)]
pub struct GrantedPath<'call> {
    grant: &'call tool::GrantedPath,
    preopen: Rc<Descriptor>,
}

/// Finds the preopens that reach some granted paths.
pub(crate) fn granted<'call>(
    grants: impl Iterator<Item = &'call tool::GrantedPath>,
) -> Result<Vec<GrantedPath<'call>>, Error> {
    let preopens: Vec<_> = preopens::get_directories()
        .into_iter()
        .map(|(descriptor, name)| (Rc::new(descriptor), name))
        .collect();
    let reach = |grant: &'call tool::GrantedPath| {
        preopens
            .iter()
            .find(|(_, name)| *name == grant.preopen)
            .map(|(descriptor, _)| GrantedPath {
                grant,
                preopen: Rc::clone(descriptor),
            })
            .ok_or_else(|| Error::failed(format!("no preopen reaches {}", grant.path)))
    };
    grants.map(reach).collect()
}

impl<'call> GrantedPath<'call> {
    /// The resolved absolute path, as results and messages show it.
    pub fn display(&self) -> &'call str {
        &self.grant.path
    }

    /// Where in the argument the path stood, if that is a list; otherwise 0.
    pub fn position(&self) -> usize {
        self.grant.position as usize
    }

    /// The text of the symbolic link, if the path as given ended in one.
    pub fn link(&self) -> Option<&'call str> {
        self.grant.link.as_deref()
    }

    /// The metadata of what the path names; `None` if nothing is there.
    ///
    /// # Errors
    ///
    /// A part of the path is a file, links form a loop, or permission is denied.
    pub fn metadata(&self) -> Result<Option<Metadata>, Error> {
        match self.preopen.stat_at(PathFlags::SYMLINK_FOLLOW, self.relative()) {
            Ok(stat) => Ok(Some(stat.into())),
            Err(code) => match self.reached(code) {
                ErrorCode::NoEntry => Ok(None),
                code => Err(self.error(code)),
            },
        }
    }

    /// The metadata of what stands under the path itself, a symbolic link as it is; `None` if nothing
    /// is there.
    ///
    /// # Errors
    ///
    /// A part of the path is a file, or permission is denied.
    pub fn link_metadata(&self) -> Result<Option<Metadata>, Error> {
        match self.preopen.stat_at(PathFlags::empty(), self.relative()) {
            Ok(stat) => Ok(Some(stat.into())),
            Err(ErrorCode::NoEntry) => Ok(None),
            Err(code) => Err(self.error(code)),
        }
    }

    /// Removes the regular file or the symbolic link that stands under the path; a link's target
    /// stays.
    ///
    /// # Errors
    ///
    /// Nothing is there, it is a directory, or permission is denied.
    pub fn remove_file(&self) -> Result<(), Error> {
        self.preopen
            .unlink_file_at(self.relative())
            .map_err(|code| self.error(code))
    }

    /// The permission and special bits (`st_mode & 0o7777`).
    ///
    /// # Errors
    ///
    /// As for [`GrantedPath::metadata`]; a path that does not exist is an error here.
    pub fn mode(&self) -> Result<u32, Error> {
        files::mode_at(&self.preopen, self.relative()).map_err(|code| self.error(code))
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    ///
    /// Nothing is there, permission is denied, or it is a directory, pipe, socket or device,
    /// which the message says.
    pub fn open_file(&self) -> Result<File, Error> {
        let descriptor = self.open(OpenFlags::empty()).map_err(|code| self.not_a_file(code))?;
        File::new(descriptor, self.display())
    }

    /// Opens a directory.
    ///
    /// # Errors
    ///
    /// Nothing is there, permission is denied, or it is not a directory.
    pub fn open_directory(&self) -> Result<Directory, Error> {
        let descriptor = self
            .open(OpenFlags::DIRECTORY)
            .map_err(|code| self.not_a_directory(code))?;
        Ok(Directory::new(descriptor, self.display()))
    }

    /// Starts to replace the content of the file, or to create it and its missing parents.
    ///
    /// # Errors
    ///
    /// It is a directory, a parent is a file, it is read-only, or permission is denied.
    pub fn replace(&self) -> Result<Replacement<'call>, Error> {
        Replacement::begin(&self.preopen, self.relative(), self.display())
    }

    fn open(&self, flags: OpenFlags) -> Result<Descriptor, ErrorCode> {
        self.preopen
            .open_at(PathFlags::SYMLINK_FOLLOW, self.relative(), flags, DescriptorFlags::READ)
            .map_err(|code| self.reached(code))
    }

    /// What an error means at the end of the path. The host has resolved every link that leads
    /// somewhere, so one that is left there leads to nothing.
    fn reached(&self, code: ErrorCode) -> ErrorCode {
        let is_link = || {
            let stat = self.preopen.stat_at(PathFlags::empty(), self.relative());
            stat.is_ok_and(|stat| Metadata::from(stat).kind == Kind::Symlink)
        };
        if self.grant.link.is_some() && code != ErrorCode::Loop && is_link() {
            ErrorCode::NoEntry
        } else {
            code
        }
    }

    /// A preopen itself is `.` below itself.
    fn relative(&self) -> &'call str {
        if self.grant.relative.is_empty() {
            "."
        } else {
            &self.grant.relative
        }
    }

    fn error(&self, code: ErrorCode) -> Error {
        describe(code, self.display())
    }

    fn kind(&self) -> Option<Kind> {
        self.metadata().ok().flatten().map(|metadata| metadata.kind)
    }

    /// The host refuses to open what is neither a file nor a directory; only then the type is
    /// asked for.
    fn not_a_file(&self, code: ErrorCode) -> Error {
        match self.kind() {
            Some(kind) if kind != Kind::File => super::file::not_regular(kind, self.display()),
            _ => self.error(code),
        }
    }

    fn not_a_directory(&self, code: ErrorCode) -> Error {
        match self.kind() {
            Some(kind) if kind != Kind::Directory => Error::failed(format!(
                "{}: not a directory: it is {}",
                self.display(),
                kind.described()
            )),
            _ => self.error(code),
        }
    }
}
