//! The plans directory: listing, adding, replacing and withdrawing files, without following links.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags, ResolveFlags, fchmod, fstat, fsync, linkat, mkdirat,
    openat, openat2, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use super::PlanError;
use super::author::Author;
use super::name::{self, PlanName};

/// The folder of the plans in the agents directory.
const FOLDER: &str = "plans";
/// Bytes of a file that are read to learn whose it is: names have at most 256 bytes, and an
/// escaped byte takes six.
const HEAD: u64 = 16 << 10;
/// Most numbers that are tried in a row; others that take so many are no accident.
const ATTEMPTS: usize = 1000;

/// The open plans directory; no other process changes it while this exists, if all keep to the lock.
pub(super) struct Directory {
    fd: OwnedFd,
    /// For messages and results.
    path: String,
}

impl Directory {
    /// Opens the plans directory below the agents directory, whose path is absolute and without
    /// links; should it have become a link since, it is refused. `None` if there is none and
    /// `create` is false.
    pub(super) fn open(agents: &str, create: bool) -> Result<Option<Self>, PlanError> {
        let open = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let links = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        let above = openat2(CWD, agents, open, Mode::empty(), links)
            .map_err(|error| failed("open the agents directory", agents, error))?;
        let path = Path::new(agents).join(FOLDER).display().to_string();
        if create {
            match mkdirat(&above, FOLDER, Mode::from_raw_mode(0o755)) {
                Ok(()) => fsync(&above).map_err(|error| failed("make the plans directory last", &path, error))?,
                Err(Errno::EXIST) => {}
                Err(error) => return Err(failed("create the plans directory", &path, error)),
            }
        }
        let fd = match openat2(&above, FOLDER, open, Mode::empty(), links | ResolveFlags::BENEATH) {
            Ok(fd) => fd,
            Err(Errno::NOENT) if !create => return Ok(None),
            Err(error) => return Err(failed("open the plans directory", &path, error)),
        };
        super::lock::lock(&fd);
        Ok(Some(Self { fd, path }))
    }

    /// The path of a file in it.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.path)
    }

    /// The plans, in no order. Only regular files are plans.
    pub(super) fn plans(&self) -> Result<Vec<PlanName>, PlanError> {
        let fail = |error| failed("list the plans directory", &self.path, error);
        let mut plans = Vec::new();
        for entry in Dir::read_from(&self.fd).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let Some(plan) = entry.file_name().to_str().ok().and_then(PlanName::parse) else {
                continue;
            };
            let kind = match entry.file_type() {
                FileType::Unknown => self.kind(entry.file_name()),
                known => Some(known),
            };
            if kind == Some(FileType::RegularFile) {
                plans.push(plan);
            }
        }
        Ok(plans)
    }

    fn kind(&self, name: impl rustix::path::Arg) -> Option<FileType> {
        let stat = statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(FileType::from_raw_mode(stat.st_mode))
    }

    /// Whose an active plan is; `None` if there is no such regular file.
    pub(super) fn owner(&self, number: u64) -> Result<Option<Author>, PlanError> {
        let name = name::active(number);
        let fail = |error| failed("read the plan", &self.path(&name), error);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = match openat(&self.fd, &*name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT | Errno::LOOP) => return Ok(None),
            Err(error) => return Err(fail(error)),
        };
        let stat = fstat(&fd).map_err(fail)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(None);
        }
        let mut head = Vec::new();
        let read = File::from(fd).take(HEAD).read_to_end(&mut head);
        read.map_err(|error| PlanError::Failed(format!("cannot read the plan {}: {error}", self.path(&name))))?;
        Ok(Some(super::head::author(&String::from_utf8_lossy(&head))))
    }

    /// Adds a plan under the next free number, which it returns. Nothing that stands there is ever
    /// replaced: of two processes that want a number one gets it, and the other takes the next.
    pub(super) fn add(&self, content: impl Fn(u64) -> String) -> Result<u64, PlanError> {
        let mut least = 1;
        for _ in 0..ATTEMPTS {
            let number = name::next(self.plans()?)
                .map(|next| next.max(least))
                .ok_or_else(|| PlanError::Failed(format!("cannot number a new plan in {}: none is left", self.path)))?;
            let name = name::active(number);
            let aside = Aside::write(self, &content(number), &name)?;
            match aside.place_new(&name) {
                Ok(()) => {
                    self.last(&name)?;
                    return Ok(number);
                }
                Err(Errno::EXIST) => least = number.saturating_add(1),
                Err(error) => return Err(failed("write the plan", &self.path(&name), error)),
            }
        }
        Err(PlanError::Failed(format!(
            "cannot number a new plan in {}: others took {ATTEMPTS} numbers in a row",
            self.path
        )))
    }

    /// Replaces a plan in one step.
    pub(super) fn replace(&self, number: u64, content: &str) -> Result<(), PlanError> {
        let name = name::active(number);
        Aside::write(self, content, &name)?
            .place(&name)
            .map_err(|error| failed("write the plan", &self.path(&name), error))?;
        self.last(&name)
    }

    /// Withdraws a plan and returns its new name.
    pub(super) fn revoke(&self, number: u64) -> Result<String, PlanError> {
        let (from, to) = (name::active(number), name::revoked(number));
        let what = || format!("rename the plan {} to", self.path(&from));
        rename_new(&self.fd, &from, &to).map_err(|error| failed(&what(), &self.path(&to), error))?;
        self.last(&to)?;
        Ok(to)
    }

    /// Makes the names last.
    fn last(&self, name: &str) -> Result<(), PlanError> {
        fsync(&self.fd).map_err(|error| failed("make the plan last", &self.path(name), error))
    }
}

/// A file that is written and not yet in place. It is removed unless it gets its name.
struct Aside<'a> {
    directory: &'a Directory,
    name: String,
    placed: bool,
}

impl<'a> Aside<'a> {
    fn write(directory: &'a Directory, content: &str, plan: &str) -> Result<Self, PlanError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let fail = |error: std::io::Error| {
            let path = directory.path(plan);
            PlanError::Failed(format!("cannot write the plan {path}: {error}"))
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // The name of a process that was killed, and whose number this one has now, may be taken.
        let (name, fd) = loop {
            let name = format!(".plan-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            match openat(&directory.fd, &*name, flags, Mode::RUSR | Mode::WUSR) {
                Ok(fd) => break (name, fd),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(fail(error.into())),
            }
        };
        let aside = Self {
            directory,
            name,
            placed: false,
        };
        let mut file = File::from(fd);
        file.write_all(content.as_bytes()).map_err(fail)?;
        fchmod(&file, Mode::from_raw_mode(0o644)).map_err(|error| fail(error.into()))?;
        file.sync_all().map_err(fail)?;
        Ok(aside)
    }

    fn place_new(mut self, name: &str) -> Result<(), Errno> {
        rename_new(&self.directory.fd, &self.name, name)?;
        self.placed = true;
        Ok(())
    }

    fn place(mut self, name: &str) -> Result<(), Errno> {
        renameat(&self.directory.fd, &*self.name, &self.directory.fd, name)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        // Once it has its name, the old one may be another process's.
        if !self.placed {
            let _ = unlinkat(&self.directory.fd, &*self.name, AtFlags::empty());
        }
    }
}

/// Renames a file unless the new name is taken.
fn rename_new(directory: &OwnedFd, from: &str, to: &str) -> Result<(), Errno> {
    match renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE) {
        // A file system that cannot do it in one step.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            linkat(directory, from, directory, to, AtFlags::empty())?;
            unlinkat(directory, from, AtFlags::empty())
        }
        other => other,
    }
}

fn failed(what: &str, path: &str, error: Errno) -> PlanError {
    let hint = match error {
        Errno::LOOP => " (it is or was reached through a symbolic link, and none is followed)",
        _ => "",
    };
    PlanError::Failed(format!("cannot {what} {path}: {error}{hint}"))
}
