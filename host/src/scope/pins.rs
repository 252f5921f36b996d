//! Objects that stay denied wherever they are moved to: those that a literal deny pattern names when the host starts.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, Stat};

/// One object, held so that its number is not given to another.
#[derive(Debug)]
struct Pin {
    path: String,
    number: (u64, u64),
    directory: bool,
    _held: OwnedFd,
}

/// The denied objects that exist.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    all: Vec<Pin>,
}

impl Pins {
    /// Looks at each path once; what does not exist is denied by its name alone.
    pub(super) fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let pin = |path: &str| {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let held = rustix::fs::open(path, flags, Mode::empty()).ok()?;
            let stat = rustix::fs::fstat(&held).ok()?;
            Some(Pin {
                path: path.to_owned(),
                number: number(&stat),
                directory: FileType::from_raw_mode(stat.st_mode) == FileType::Directory,
                _held: held,
            })
        };
        Self {
            all: paths.filter_map(pin).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether this is one of the objects.
    pub(crate) fn hold(&self, stat: &Stat) -> bool {
        !self.all.is_empty() && self.all.iter().any(|pin| pin.number == number(stat))
    }

    /// Whether an entry with this number may be one of the objects; only a look at it tells.
    pub(crate) fn may_hold(&self, inode: u64) -> bool {
        self.all.iter().any(|pin| pin.number.1 == inode)
    }

    /// Whether a denied directory is no longer where it was: then what lies
    /// below it can have any name.
    pub(crate) fn displaced(&self) -> bool {
        self.all.iter().filter(|pin| pin.directory).any(|pin| {
            let now = rustix::fs::lstat(&*pin.path);
            !now.is_ok_and(|stat| number(&stat) == pin.number)
        })
    }

    /// Whether a denied directory is on the way to a path below `root`.
    pub(crate) fn on_the_way(&self, root: BorrowedFd<'_>, relative: &str) -> bool {
        let ends = relative.match_indices('/').map(|(end, _)| end);
        ends.chain([relative.len()]).any(|end| {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
            rustix::fs::openat2(root, &relative[..end], flags, Mode::empty(), resolve)
                .and_then(rustix::fs::fstat)
                .is_ok_and(|stat| self.hold(&stat))
        })
    }
}

#[allow(clippy::unnecessary_cast)] // the types differ between architectures
fn number(stat: &Stat) -> (u64, u64) {
    (stat.st_dev as u64, stat.st_ino as u64)
}
