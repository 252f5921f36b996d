//! What POSIX, with `..` taken lexically and links confined, says about a path with something at
//! its end: the obvious way, to compare the host with.

/// How an operation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    /// It fails and changes nothing.
    Error,
    /// It succeeds and changes nothing.
    Succeeds,
    /// It succeeds and the tree is another one afterwards.
    Changes,
}

use Expect::{Changes, Error, Succeeds};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Dir,
    Absent,
    ToFile,
    ToDir,
    ToOutsideFile,
    ToOutsideDir,
    Dangling,
    ChainToFile,
    ChainToDir,
}

pub(crate) const KINDS: [Kind; 10] = [
    Kind::File,
    Kind::Dir,
    Kind::Absent,
    Kind::ToFile,
    Kind::ToDir,
    Kind::ToOutsideFile,
    Kind::ToOutsideDir,
    Kind::Dangling,
    Kind::ChainToFile,
    Kind::ChainToDir,
];

pub(crate) const SUFFIXES: [&str; 6] = ["", "/", "//", "/.", "/./", "/.."];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dir => "dir",
            Self::Absent => "absent",
            Self::ToFile => "to_file",
            Self::ToDir => "to_dir",
            Self::ToOutsideFile => "to_outside_file",
            Self::ToOutsideDir => "to_outside_dir",
            Self::Dangling => "dangling",
            Self::ChainToFile => "chain_to_file",
            Self::ChainToDir => "chain_to_dir",
        }
    }

    pub(crate) fn link_text(self) -> Option<&'static str> {
        match self {
            Self::File | Self::Dir | Self::Absent => None,
            Self::ToFile => Some("file"),
            Self::ToDir => Some("dir"),
            Self::ToOutsideFile => Some("../O/file"),
            Self::ToOutsideDir => Some("../O/folder"),
            Self::Dangling => Some("target"),
            Self::ChainToFile => Some("to_file"),
            Self::ChainToDir => Some("to_dir"),
        }
    }

    fn is_link(self) -> bool {
        self.link_text().is_some()
    }

    fn escapes(self) -> bool {
        matches!(self, Self::ToOutsideFile | Self::ToOutsideDir)
    }

    /// What stands at the end of the links.
    fn end(self) -> Self {
        match self {
            Self::ToFile | Self::ChainToFile => Self::File,
            Self::ToDir | Self::ChainToDir => Self::Dir,
            Self::Dangling => Self::Absent,
            other => other,
        }
    }
}

/// What an operation that may follow links ends up at; `None` where the way is closed.
fn reach(kind: Kind, suffix: &str, follow: bool) -> Option<Kind> {
    match suffix {
        // `x/..` is where `x` lies, whatever `x` is.
        "/.." => Some(Kind::Dir),
        "" if !follow => Some(kind),
        _ if kind.escapes() => None,
        _ => Some(kind.end()),
    }
}

pub(crate) fn expect_open(kind: Kind, suffix: &str, how: &str) -> Expect {
    let has = |letter| how.contains(letter);
    let must_be_directory = !suffix.is_empty();
    let create = has('c');
    let directory = has('d') || must_be_directory;
    if has('d') && (create || has('x') || has('t')) || must_be_directory && create {
        return Error;
    }
    let Some(end) = reach(kind, suffix, has('f')) else {
        return Error;
    };
    match end {
        link if link.is_link() => Error,
        // Flags for writing say nothing about a handle of a directory, unless they ask for a file.
        Kind::Dir if directory => Succeeds,
        Kind::Dir if has('w') || has('t') || create => Error,
        Kind::Dir => Succeeds,
        Kind::File if directory => Error,
        Kind::File if create && has('x') => Error,
        Kind::File if has('t') => Changes,
        Kind::File => Succeeds,
        // An exclusive creation does not follow a link.
        _ if create && !(has('x') && kind.is_link()) => Changes,
        _ => Error,
    }
}

pub(crate) fn expect_single(kind: Kind, suffix: &str, operation: &str, follow: bool) -> Expect {
    let must_be_directory = !suffix.is_empty();
    let is_root = suffix == "/..";
    match operation {
        "stat_at" | "hash_at" | "mode_at" => match reach(kind, suffix, follow || operation == "mode_at") {
            None | Some(Kind::Absent) => Error,
            Some(Kind::File) if must_be_directory => Error,
            Some(_) => Succeeds,
        },
        "readlink" if !must_be_directory && kind.is_link() && !kind.escapes() => Succeeds,
        // Times change only where the path itself says what: no link is followed for it.
        "set_times_at" if is_root => Error,
        "set_times_at" => match kind {
            Kind::Dir => Changes,
            Kind::File if !must_be_directory => Changes,
            link if link.is_link() && !must_be_directory && !follow => Changes,
            _ => Error,
        },
        "mkdir" if kind == Kind::Absent && !is_root => Changes,
        "rmdir" if kind == Kind::Dir && !is_root => Changes,
        "unlink" if !must_be_directory && (kind == Kind::File || kind.is_link()) => Changes,
        // A replacement takes the place of a link and leaves its target alone.
        "replace" if !must_be_directory && kind != Kind::Dir => Changes,
        _ => Error,
    }
}

pub(crate) fn expect_rename(old: (Kind, &str), new: (Kind, &str)) -> Expect {
    if old.1 == "/.." || new.1 == "/.." {
        return Error;
    }
    let plain = old.1.is_empty() && new.1.is_empty();
    match (old.0, new.0) {
        (Kind::File, Kind::File) | (Kind::Dir, Kind::Dir) if plain || old.0 == Kind::Dir => Succeeds,
        (Kind::Dir, Kind::Absent) => Changes,
        (Kind::File, Kind::Absent) if plain => Changes,
        // The link is replaced, not what it leads to.
        (Kind::File, link) if plain && link.is_link() => Changes,
        _ => Error,
    }
}
