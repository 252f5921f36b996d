//! Walking a directory tree.

use std::ops::ControlFlow;

use super::directory::entries;
use super::file::read;
use super::{Directory, Entry, ErrorCode, Kind};
use crate::bindings::toolgate::plugin::walks::{self, Part};
use crate::bindings::wasi::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

/// Directories that walks do not enter, by exact name, at any depth: version control stores and
/// fetched dependencies.
pub const SKIPPED_DIRECTORIES: &[&str] = &[".git", ".svn", ".hg", "node_modules", "vendor"];

/// Open directories held at a time; deeper trees reopen theirs by path. The host allows a call
/// 256 to 512 handles of all kinds.
const HELD: usize = 64;

/// A walk, depth-first, the entries of one directory in ascending byte order of name. Symbolic
/// links are reported, never followed. What cannot be read is counted and passed over.
///
/// The host hands out a large tree in parts, so that several instances of a tool that declares a
/// [`SharedWalk`](crate::SharedWalk) walk it together; an instance sees its parts in the order of
/// the walk. It also says how many entries one call may visit (FX-24).
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    skip: &'a [&'a str],
}

/// Whether a walk goes on.
pub type Visit = ControlFlow<()>;

/// What looks at the entries of a walk.
pub trait Visitor {
    /// A part of the tree begins, with the directory at this path relative to the root; `false`
    /// passes over it.
    fn part(&mut self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// Whether the walk enters a directory that it has come to, beyond those it skips by name.
    fn enter(&mut self, visited: &Visited<'_>) -> bool {
        let _ = visited;
        true
    }

    /// The walk has come to an entry. Breaking ends the part, not the walk.
    fn entry(&mut self, visited: &Visited<'_>) -> Visit;
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WalkSummary {
    /// Directories that could not be read.
    pub unreadable: u64,
    /// The walk ended because the budget was spent, with entries left.
    pub out_of_budget: bool,
}

/// An entry that a walk has come to.
#[derive(Debug)]
pub struct Visited<'a> {
    /// Name and type.
    pub entry: &'a Entry,
    directory: &'a Descriptor,
    prefix: &'a str,
}

impl Visited<'_> {
    /// The path relative to the root of the walk. Built on demand: most entries never need one.
    pub fn relative_path(&self) -> String {
        format!("{}{}", self.prefix, self.entry.name)
    }

    /// What the entry is, or what it leads to if it is a symbolic link. `None` for a link to nothing
    /// or to something out of reach.
    pub fn target_kind(&self) -> Option<Kind> {
        if self.entry.kind != Kind::Symlink {
            return Some(self.entry.kind);
        }
        let stat = self.directory.stat_at(PathFlags::SYMLINK_FOLLOW, &self.entry.name);
        stat.ok().map(|stat| super::Metadata::from(stat).kind)
    }

    /// Opens the entry, if it is a regular file, and reads up to `length` bytes of it.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoEntry`] if it has vanished or is hidden from the call; another code if it
    /// cannot be read.
    pub fn open(&self, length: usize) -> Result<Opened, ErrorCode> {
        let descriptor = self.directory.open_at(
            PathFlags::empty(),
            &self.entry.name,
            OpenFlags::empty(),
            DescriptorFlags::READ,
        )?;
        let (head, complete) = read(&descriptor, 0, length)?;
        Ok(Opened {
            descriptor,
            head,
            complete,
        })
    }
}

/// A file met by a walk, with its first bytes.
#[derive(Debug)]
pub struct Opened {
    descriptor: Descriptor,
    /// The first bytes.
    pub head: Vec<u8>,
    /// Whether these are all.
    pub complete: bool,
}

impl Opened {
    /// Up to `length` bytes from `offset`, and whether the end of the file was reached.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn read_at(&self, offset: u64, length: usize) -> Result<(Vec<u8>, bool), ErrorCode> {
        read(&self.descriptor, offset, length)
    }
}

/// One directory on the way from the root to the current entry.
struct Level {
    /// `None` while a deeper level is visited and too many are open.
    descriptor: Option<Descriptor>,
    remaining: std::vec::IntoIter<Entry>,
    /// Length of the prefix of this level's entries.
    prefix: usize,
}

impl Default for Walk<'_> {
    fn default() -> Self {
        Self {
            skip: SKIPPED_DIRECTORIES,
        }
    }
}

impl<'a> Walk<'a> {
    /// Does not enter directories with these names, instead of [`SKIPPED_DIRECTORIES`]. The root
    /// is always entered.
    pub fn skip(mut self, names: &'a [&'a str]) -> Self {
        self.skip = names;
        self
    }

    /// Visits everything below `root`, directories before what is in them, until `visit` breaks.
    ///
    /// # Errors
    ///
    /// The root itself cannot be read.
    pub fn run(&self, root: Directory, visit: impl FnMut(&Visited<'_>) -> Visit) -> Result<WalkSummary, crate::Error> {
        struct UntilBreak<F> {
            visit: F,
            broken: bool,
        }

        impl<F: FnMut(&Visited<'_>) -> Visit> Visitor for UntilBreak<F> {
            fn part(&mut self, _: &str) -> bool {
                !self.broken
            }

            fn entry(&mut self, visited: &Visited<'_>) -> Visit {
                let visit = (self.visit)(visited);
                self.broken |= visit.is_break();
                visit
            }
        }

        self.run_with(root, &mut UntilBreak { visit, broken: false })
    }

    /// As [`Walk::run`], with a visitor that is told where parts begin.
    ///
    /// # Errors
    ///
    /// The root itself cannot be read.
    pub fn run_with(&self, root: Directory, visitor: &mut impl Visitor) -> Result<WalkSummary, crate::Error> {
        let budget = walks::entry_budget();
        let display = root.path().to_owned();
        let root = root.into_descriptor();
        let mut summary = WalkSummary::default();
        let mut visited = 0;
        while let Some(part) = walks::next(visited) {
            visited = 0;
            if !visitor.part(&part.path) {
                continue;
            }
            match self.part(&root, part, budget, visitor, &mut summary) {
                Ok(count) => visited = count,
                Err((code, true)) => return Err(super::error::describe(code, &display)),
                // It has vanished, or the call may not see it.
                Err((ErrorCode::NoEntry, _)) => {}
                Err(_) => summary.unreadable += 1,
            }
            if summary.out_of_budget {
                // One more than the budget, for the host to know that entries are left.
                visited = budget + 1;
            }
        }
        Ok(summary)
    }

    /// Visits one part of the tree and counts its entries. An error says whether it is the root
    /// that cannot be read.
    fn part(
        &self,
        root: &Descriptor,
        part: Part,
        budget: u64,
        visitor: &mut impl Visitor,
        summary: &mut WalkSummary,
    ) -> Result<u64, (ErrorCode, bool)> {
        let is_root = part.path.is_empty();
        let opened = if is_root {
            None
        } else {
            Some(open(root, &part.path).map_err(|code| (code, false))?)
        };
        let first = entries(opened.as_ref().unwrap_or(root)).map_err(|code| (code, is_root))?;
        let mut prefix = part.path;
        if !is_root {
            prefix.push('/');
        }
        let mut levels = vec![Level {
            descriptor: opened,
            remaining: first.into_iter(),
            prefix: prefix.len(),
        }];
        let mut visited = 0;
        while let Some(level) = levels.last_mut() {
            prefix.truncate(level.prefix);
            let Some(entry) = level.remaining.next() else {
                levels.pop();
                continue;
            };
            if visited == budget {
                summary.out_of_budget = true;
                break;
            }
            visited += 1;
            let depth = levels.len();
            let Ok(directory) = held(&mut levels, root, &prefix) else {
                summary.unreadable += 1;
                levels.pop();
                continue;
            };
            let here = Visited {
                entry: &entry,
                directory,
                prefix: &prefix,
            };
            if visitor.entry(&here).is_break() {
                break;
            }
            let is_walked = entry.kind == Kind::Directory && part.recursive;
            if !is_walked || self.skip.contains(&entry.name.as_str()) || !visitor.enter(&here) {
                continue;
            }
            let opened = open(directory, &entry.name);
            match opened.and_then(|opened| Ok((entries(&opened)?, opened))) {
                Ok((below, descriptor)) => {
                    prefix.push_str(&entry.name);
                    prefix.push('/');
                    if depth >= HELD
                        && let Some(level) = levels.last_mut()
                    {
                        level.descriptor = None;
                    }
                    levels.push(Level {
                        descriptor: Some(descriptor),
                        remaining: below.into_iter(),
                        prefix: prefix.len(),
                    });
                }
                Err(ErrorCode::NoEntry) => {}
                Err(_) => summary.unreadable += 1,
            }
        }
        Ok(visited)
    }
}

/// The directory of the current level, reopened by its path if it had to be let go.
fn held<'a>(levels: &'a mut [Level], root: &'a Descriptor, prefix: &str) -> Result<&'a Descriptor, ErrorCode> {
    match levels {
        [.., level] if !prefix.is_empty() => {
            let descriptor = match level.descriptor.take() {
                Some(descriptor) => descriptor,
                None => open(root, prefix.trim_end_matches('/'))?,
            };
            Ok(level.descriptor.insert(descriptor))
        }
        _ => Ok(root),
    }
}

fn open(directory: &Descriptor, path: &str) -> Result<Descriptor, ErrorCode> {
    directory.open_at(PathFlags::empty(), path, OpenFlags::DIRECTORY, DescriptorFlags::READ)
}
