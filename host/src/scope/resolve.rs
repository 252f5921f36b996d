//! Symbolic links out of a path, one component at a time, by reading links only.

use std::os::fd::AsFd;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

/// How many links one path may lead through (as in Linux).
const MAX_LINKS: usize = 40;

/// A path without symbolic links in the part of it that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Absolute and normalised.
    pub path: String,
    /// The text of the link, when the path as asked ended in one.
    pub link: Option<String>,
    /// Whether the last component exists. A dangling link counts as a missing
    /// file at the link's own place.
    pub exists: bool,
}

/// Why a path has no resolved form. Such a path is outside every scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolvable {
    /// A component that is used as a directory is none.
    #[error("{0:?} is a file, not a directory")]
    NotDirectory(String),
    /// Too many links, or a loop of them.
    #[error("{0:?} leads through a loop of symbolic links")]
    Loop(String),
    /// A link of procfs, whose target is not a path.
    #[error("{0:?} is a magic link of the kernel and is never followed")]
    Magic(String),
    /// The name is not UTF-8, or the system refused to look.
    #[error("{0:?} cannot be looked up: {1}")]
    Failed(String, String),
}

impl Unresolvable {
    /// The place where resolving failed, as far as it says something about the disk.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::NotDirectory(path) | Self::Magic(path) | Self::Failed(path, _) => Some(path),
            Self::Loop(_) => None,
        }
    }
}

/// Resolves a normalised absolute path. With `follow_last` off, the last
/// component is taken as it stands even if it is a link.
///
/// # Errors
/// See [`Unresolvable`].
pub fn resolve(path: &str, follow_last: bool) -> Result<Resolved, Unresolvable> {
    resolve_until(path, follow_last, |_| false)
}

/// The same, but ends at the first place that `stop` names, without a look at
/// it: the rest of the path stays as it is, and counts as missing.
pub(super) fn resolve_until(
    path: &str,
    follow_last: bool,
    stop: impl Fn(&str) -> bool,
) -> Result<Resolved, Unresolvable> {
    let mut pending: Vec<String> = names(path).rev().collect();
    let mut done = String::new();
    let mut links = 0;
    let mut link = None;
    let mut dangling = None;
    while let Some(name) = pending.pop() {
        // Only the texts of links bring these; `..` is the directory really above, as for every other program.
        match &*name {
            "." => continue,
            ".." => {
                done.truncate(done.rfind('/').unwrap_or(0));
                continue;
            }
            _ => {}
        }
        let last = pending.is_empty();
        let here = format!("{done}/{name}");
        if stop(&here) {
            return Ok(Resolved {
                path: with_rest(here, &pending),
                link,
                exists: false,
            });
        }
        if last && !follow_last {
            return Ok(Resolved {
                exists: rustix::fs::lstat(&*here).is_ok(),
                path: here,
                link,
            });
        }
        match rustix::fs::readlinkat(CWD, &*here, Vec::new()) {
            Ok(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Unresolvable::Loop(path.to_owned()));
                }
                if here.starts_with("/proc/") {
                    return Err(Unresolvable::Magic(here));
                }
                let target = target
                    .into_string()
                    .map_err(|_| Unresolvable::Failed(here.clone(), "its target is not UTF-8".to_owned()))?;
                // Only the end of the path as asked counts, not links met on the way through it.
                if last && link.is_none() {
                    link = Some(target.clone());
                    dangling = Some(here.clone());
                }
                if target.starts_with('/') {
                    done.clear();
                }
                // With a separator at its end, it names a directory.
                pending.extend(target.ends_with('/').then(|| ".".to_owned()));
                pending.extend(names(&target).rev());
            }
            Err(Errno::INVAL) => {
                if !last {
                    let stat = rustix::fs::lstat(&*here)
                        .map_err(|error| Unresolvable::Failed(here.clone(), error.to_string()))?;
                    if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
                        return Err(Unresolvable::NotDirectory(here));
                    }
                }
                done = here;
            }
            Err(Errno::NOENT) => {
                // What does not exist has nothing above it that a link could lead to.
                if dangling.is_none() && pending.iter().any(|name| name == "..") {
                    return Err(Unresolvable::Failed(here, "it does not exist".to_owned()));
                }
                return Ok(Resolved {
                    // A link to nothing stands for itself: whatever is created replaces the link.
                    path: dangling.unwrap_or_else(|| with_rest(here, &pending)),
                    link,
                    exists: false,
                });
            }
            Err(Errno::NOTDIR) => return Err(Unresolvable::NotDirectory(done)),
            Err(Errno::LOOP) => return Err(Unresolvable::Loop(path.to_owned())),
            Err(error) => return Err(Unresolvable::Failed(here, error.to_string())),
        }
    }
    if done.is_empty() {
        done.push('/');
    }
    Ok(Resolved {
        path: done,
        link,
        exists: true,
    })
}

/// Whether the path below `root` exists and leads through no link at all:
/// one `openat2` that refuses links, instead of a look at each component.
pub(super) fn is_plain(root: impl AsFd, relative: &str) -> bool {
    let path = if relative.is_empty() { "." } else { relative };
    rustix::fs::openat2(
        root,
        path,
        OFlags::PATH | OFlags::CLOEXEC,
        Mode::empty(),
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    )
    .is_ok()
}

/// A place and the names below it that are still to be looked at.
fn with_rest(mut here: String, pending: &[String]) -> String {
    let below = pending.iter().rev().take_while(|name| *name != "..");
    for name in below.filter(|name| *name != ".") {
        here.push('/');
        here.push_str(name);
    }
    here
}

fn names(path: &str) -> impl DoubleEndedIterator<Item = String> {
    path.split('/').filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_lead_where_they_lead_every_other_program() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("a/b")).unwrap();
        fs::write(base.join("f"), "").unwrap();
        fs::write(base.join("a/f"), "").unwrap();
        let base = base.to_str().unwrap();
        let links = [
            ("far", "a/b"),
            ("back", "far/../f"),
            ("over", "far/../../f"),
            ("top", "../../../../../../../../../.."),
            ("slash", "f/"),
            ("folder", "far/"),
            ("none", "gone/../f"),
            ("none_folder", "gone/../a"),
            ("file_folder", "f/../a"),
        ];
        for (name, text) in links {
            symlink(text, format!("{base}/{name}")).unwrap();
        }
        let found = |name: &str| resolve(&format!("{base}/{name}"), true).map(|found| (found.path, found.exists));
        let here = |name: &str| format!("{base}/{name}");
        assert_eq!(found("back"), Ok((here("a/f"), true)));
        assert_eq!(found("over"), Ok((here("f"), true)));
        assert_eq!(found("top"), Ok(("/".to_owned(), true)));
        assert_eq!(found("folder/x"), Ok((here("a/b/x"), false)));
        assert_eq!(found("none"), Ok((here("none"), false)));
        for name in ["slash", "none_folder/f", "file_folder/f", "file_folder"] {
            assert!(found(name).is_err(), "{name}: {:?}", found(name));
            assert!(fs::metadata(here(name)).is_err(), "{name}");
        }
    }
}
