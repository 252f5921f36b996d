//! Walking a directory tree.

use std::ops::ControlFlow;

use super::directory::entries;
use super::file::read;
use super::{Directory, Entry, ErrorCode, Kind};
use crate::bindings::wasi::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

/// Directories that walks do not enter, by exact name, at any depth: version control stores and
/// fetched dependencies.
pub const SKIPPED_DIRECTORIES: &[&str] = &[".git", ".svn", ".hg", "node_modules", "vendor"];

/// A call that visits more entries than this is out of proportion (FX-24).
const DEFAULT_BUDGET: u64 = 200_000;

/// Open directories held at a time; deeper trees reopen theirs by path. The host allows a call
/// 256 to 512 handles of all kinds.
const HELD: usize = 64;

/// A walk, depth-first, the entries of one directory in ascending byte order of name. Symbolic
/// links are reported, never followed. What cannot be read is counted and passed over.
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    skip: &'a [&'a str],
    budget: u64,
}

/// Whether a walk goes on.
pub type Visit = ControlFlow<()>;

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
            budget: DEFAULT_BUDGET,
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

    /// Visits at most so many entries, instead of 200 000.
    pub fn budget(mut self, entries: u64) -> Self {
        self.budget = entries;
        self
    }

    /// Visits everything below `root`, directories before what is in them, until `visit` breaks.
    ///
    /// # Errors
    ///
    /// The root itself cannot be read.
    pub fn run(
        &self,
        root: Directory,
        mut visit: impl FnMut(&Visited<'_>) -> Visit,
    ) -> Result<WalkSummary, crate::Error> {
        let first = root.entries()?.into_iter();
        let root = root.into_descriptor();
        let mut summary = WalkSummary::default();
        let mut prefix = String::new();
        let mut levels = vec![Level {
            descriptor: None,
            remaining: first,
            prefix: 0,
        }];
        let mut visited = 0;
        while let Some(level) = levels.last_mut() {
            prefix.truncate(level.prefix);
            let Some(entry) = level.remaining.next() else {
                levels.pop();
                continue;
            };
            if visited == self.budget {
                summary.out_of_budget = true;
                break;
            }
            visited += 1;
            let depth = levels.len();
            let Ok(directory) = held(&mut levels, &root, &prefix) else {
                summary.unreadable += 1;
                levels.pop();
                continue;
            };
            if visit(&Visited {
                entry: &entry,
                directory,
                prefix: &prefix,
            })
            .is_break()
            {
                break;
            }
            if entry.kind != Kind::Directory || self.skip.contains(&entry.name.as_str()) {
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
        Ok(summary)
    }
}

/// The directory of the current level, reopened by its path if it had to be let go.
fn held<'a>(levels: &'a mut [Level], root: &'a Descriptor, prefix: &str) -> Result<&'a Descriptor, ErrorCode> {
    match levels {
        [] | [_] => Ok(root),
        [.., level] => {
            let descriptor = match level.descriptor.take() {
                Some(descriptor) => descriptor,
                None => open(root, prefix.trim_end_matches('/'))?,
            };
            Ok(level.descriptor.insert(descriptor))
        }
    }
}

fn open(directory: &Descriptor, path: &str) -> Result<Descriptor, ErrorCode> {
    directory.open_at(PathFlags::empty(), path, OpenFlags::DIRECTORY, DescriptorFlags::READ)
}
