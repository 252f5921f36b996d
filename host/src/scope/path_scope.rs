//! The parsed path scope of a tenant: roots, typed entries, deny list.

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::access::Access;
use super::builder::PathScopeBuilder;
use super::deny::DenyList;
use super::fold::{Case, folded};
use super::glob::PathPattern;
use super::lexical::{below, normalise};
use super::mandatory::Mandatory;
use super::pins::Pins;
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
    /// A name in `path_scope.lift` that is none.
    #[error("path_scope.lift: {0}")]
    Lift(String),
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
    /// The path as it is compared where directories fold.
    folded: String,
    fd: OwnedFd,
}

impl Root {
    pub(super) fn new(path: String, fd: OwnedFd) -> Self {
        Self {
            folded: folded(&path).into_owned(),
            path,
            fd,
        }
    }

    pub(super) fn spelling(&self, case: Case) -> &str {
        match case {
            Case::Exact => &self.path,
            Case::Folded => &self.folded,
        }
    }

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
    pub(super) mandatory: Mandatory,
    pub(super) pins: Pins,
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
            mandatory: Mandatory::default(),
            pins: Pins::default(),
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
        self.find(path).map(|(root, relative)| Place {
            root,
            relative: relative.to_owned(),
        })
    }

    pub(super) fn find<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        let mut roots = self.roots.iter().enumerate();
        roots.find_map(|(root, candidate)| below(&candidate.path, path).map(|relative| (root, relative)))
    }

    /// What the entries grant on a place. The most specific entry decides
    /// alone; entries equally specific are united. The deny list is separate.
    pub fn access(&self, place_root: usize, relative: &str) -> Access {
        let root = &self.roots[place_root];
        // The usual scope is one directory: then every path below it has its access.
        if let [entry] = self.entries.as_slice()
            && let PathPattern::Subtree(top) = &entry.pattern
            && top.path == root.path
        {
            return entry.access;
        }
        self.spelled_access(place_root, relative, |relative, case| {
            let path = join(root.spelling(case), relative);
            let mut best = 0;
            let mut access = Access::NONE;
            for entry in self.entries.iter().filter(|entry| entry.pattern.matches(&path, case)) {
                let specificity = entry.pattern.specificity();
                if specificity > best {
                    best = specificity;
                    access = entry.access;
                } else if specificity == best {
                    access = access.union(entry.access);
                }
            }
            access
        })
    }

    /// The pattern that denies a place, if any.
    pub fn denied(&self, root: usize, relative: &str) -> Option<&str> {
        if self.deny.is_empty() {
            return None;
        }
        let top = &self.roots[root];
        self.spelled(Some(root), relative, |relative, case| {
            self.deny.denies(top.spelling(case), relative, case)
        })
    }

    /// The pattern that denies an absolute, resolved path, in scope or not.
    pub fn denied_anywhere(&self, path: &str) -> Option<&str> {
        match self.find(path) {
            Some((root, relative)) => self.denied(root, relative),
            None if self.deny.is_empty() => None,
            None => self.spelled(None, path, |path, case| {
                self.deny.denies("/", path.trim_start_matches('/'), case)
            }),
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
        resolve_until(path, follow_last, |here| match self.find(here) {
            Some((root, relative)) => self.hides(root, relative),
            None => self.mandatory(here, false).is_some(),
        })
    }

    /// What a path as given would have: normalised, resolved, held to the deny
    /// list and the mandatory denies. Whatever cannot be resolved has nothing.
    pub fn access_of(&self, given: &str) -> Access {
        // An empty path stands for the project itself at this level; tools refuse it.
        let given = if given.is_empty() { "." } else { given };
        let Ok(path) = normalise(&self.project, self.home.as_deref(), given) else {
            return Access::NONE;
        };
        let Ok(resolved) = self.resolve(&path, true) else {
            return Access::NONE;
        };
        let Some((root, relative)) = self.find(&resolved.path) else {
            return Access::NONE;
        };
        if self.hides(root, relative) {
            return Access::NONE;
        }
        let access = self.access(root, relative);
        let kept = self.mandatory_by_name(&resolved.path, &path, true).is_some();
        Access {
            write: access.write && !kept,
            ..access
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
