//! The parsed path scope of a tenant: roots, typed entries, deny list.

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::access::Access;
use super::builder::PathScopeBuilder;
use super::deny::DenyList;
use super::glob::PathPattern;
use super::lexical::{below, normalise};
use super::resolve::{Resolved, resolve_until};

/// A scope that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScopeError {
    /// A pattern that does not parse or is too wide.
    #[error("{field}: the pattern {pattern:?} cannot be used: {reason}")]
    Pattern {
        /// The configuration key.
        field: String,
        /// The pattern as written.
        pattern: String,
        /// Why not, and what would work.
        reason: String,
    },
    /// The project root cannot be used.
    #[error("the root {path:?} cannot be used: {reason}")]
    Root {
        /// The root as given.
        path: String,
        /// Why not.
        reason: String,
    },
}

impl ScopeError {
    pub(super) fn pattern(field: &str, pattern: &str, reason: String) -> Self {
        Self::Pattern {
            field: field.to_owned(),
            pattern: pattern.to_owned(),
            reason,
        }
    }
}

/// A directory that bounds everything reached through it. The descriptor is
/// opened once at start and never looked up by name again.
#[derive(Debug)]
pub struct Root {
    pub(super) path: String,
    pub(super) fd: OwnedFd,
}

impl Root {
    /// Absolute, without symbolic links.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl AsFd for Root {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Where an absolute path lies: a root and the path below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Number of the root in [`PathScope::roots`].
    pub root: usize,
    /// Normalised path below the root; empty for the root itself.
    pub relative: String,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) pattern: PathPattern,
    pub(super) access: Access,
}

/// What a tenant may reach. Immutable once built; cheap to share.
#[derive(Debug)]
pub struct PathScope {
    pub(super) project: String,
    pub(super) home: Option<String>,
    pub(super) roots: Vec<Root>,
    pub(super) entries: Vec<Entry>,
    pub(super) deny: DenyList,
}

impl PathScope {
    /// A scope around a project directory, to which relative paths refer.
    pub fn builder(project: impl Into<String>) -> PathScopeBuilder {
        PathScopeBuilder::new(project.into())
    }

    /// A scope that holds nothing.
    pub(crate) fn nothing() -> Self {
        Self {
            project: "/".to_owned(),
            home: None,
            roots: Vec::new(),
            entries: Vec::new(),
            deny: DenyList::default(),
        }
    }

    /// The project directory, absolute and without symbolic links.
    pub fn project(&self) -> &str {
        &self.project
    }

    /// The home directory that `~` stands for.
    pub fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// The roots; no root lies within another.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The deny list.
    pub fn deny(&self) -> &DenyList {
        &self.deny
    }

    /// The root that holds this absolute, resolved path.
    pub fn locate(&self, path: &str) -> Option<Place> {
        self.roots.iter().enumerate().find_map(|(root, candidate)| {
            below(&candidate.path, path).map(|relative| Place {
                root,
                relative: relative.to_owned(),
            })
        })
    }

    /// What the entries grant on a place. The most specific entry decides
    /// alone; entries equally specific are united. The deny list is separate.
    pub fn access(&self, place_root: usize, relative: &str) -> Access {
        let root = &self.roots[place_root].path;
        // The usual scope is one directory: then every path below it has its access.
        if let [entry] = self.entries.as_slice()
            && let PathPattern::Subtree(top) = &entry.pattern
            && top == root
        {
            return entry.access;
        }
        let path = join(root, relative);
        let mut best = 0;
        let mut access = Access::NONE;
        for entry in self.entries.iter().filter(|entry| entry.pattern.matches(&path)) {
            let specificity = entry.pattern.specificity();
            if specificity > best {
                best = specificity;
                access = entry.access;
            } else if specificity == best {
                access = access.union(entry.access);
            }
        }
        access
    }

    /// The pattern that denies a place, if any.
    pub fn denied(&self, root: usize, relative: &str) -> Option<&str> {
        self.deny.denies(&self.roots[root].path, relative)
    }

    /// The pattern that denies an absolute, resolved path, in scope or not.
    pub fn denied_anywhere(&self, path: &str) -> Option<&str> {
        match self.locate(path) {
            Some(place) => self.denied(place.root, &place.relative),
            None => self.deny.denies("/", path.trim_start_matches('/')),
        }
    }

    /// The absolute path of a place.
    pub fn absolute(&self, root: usize, relative: &str) -> String {
        join(&self.roots[root].path, relative).into_owned()
    }

    /// The symlink-free spelling of a normalised absolute path. Paths without
    /// links below a root cost one system call.
    ///
    /// # Errors
    /// See [`Unresolvable`](super::Unresolvable).
    pub fn resolve(&self, path: &str, follow_last: bool) -> Result<Resolved, super::Unresolvable> {
        if let Some(place) = self.locate(path)
            && super::resolve::is_plain(&self.roots[place.root], &place.relative)
        {
            return Ok(Resolved {
                path: path.to_owned(),
                link: None,
                exists: true,
            });
        }
        // Nothing is looked up below what is denied: the answer would tell what is there.
        resolve_until(path, follow_last, |here| {
            self.locate(here)
                .is_some_and(|place| self.denied(place.root, &place.relative).is_some())
        })
    }

    /// What a path as given would have: normalised, resolved, held to the deny
    /// list. Whatever cannot be resolved has nothing.
    pub fn access_of(&self, given: &str) -> Access {
        // An empty path stands for the project itself at this level; tools refuse it.
        let given = if given.is_empty() { "." } else { given };
        let Ok(path) = normalise(&self.project, self.home.as_deref(), given) else {
            return Access::NONE;
        };
        let Ok(resolved) = self.resolve(&path, true) else {
            return Access::NONE;
        };
        match self.locate(&resolved.path) {
            Some(place) if self.denied(place.root, &place.relative).is_none() => {
                self.access(place.root, &place.relative)
            }
            _ => Access::NONE,
        }
    }
}

/// `root` and `relative` as one absolute path.
pub(super) fn join<'a>(root: &'a str, relative: &str) -> Cow<'a, str> {
    if relative.is_empty() {
        Cow::Borrowed(root)
    } else if root == "/" {
        Cow::Owned(format!("/{relative}"))
    } else {
        let mut path = String::with_capacity(root.len() + 1 + relative.len());
        path.push_str(root);
        path.push('/');
        path.push_str(relative);
        Cow::Owned(path)
    }
}
