//! The parsed path scope of a tenant: roots, typed entries, deny list.

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::access::Access;
use super::builder::PathScopeBuilder;
use super::deny::DenyList;
use super::fold::{Case, folded};
use super::glob::PathPattern;
use super::lexical::{below, normalise};
use super::mandatory::{Mandatory, MandatoryClass};
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

    fn spelling(&self, case: Case) -> &str {
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

    fn find<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
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

    /// Whether moving the directory of this absolute path, or another one to
    /// its place, could change what is denied, protected or in need of an
    /// approval below it. `own` are the files that the host is configured by.
    pub fn moves_rights(&self, directory: &str, own: &[String]) -> bool {
        let (root, relative) = match self.find(directory) {
            Some((root, relative)) => (Some(root), relative),
            None => (None, directory),
        };
        let top = |case| root.map_or("/", |root| self.roots[root].spelling(case));
        self.holds_control_plane(directory, own)
            || self
                .spelled(root, relative, |path, case| {
                    let moves = self.mandatory.holds(root, path, case)
                        || self.deny.may_deny_below(top(case), path.trim_start_matches('/'), case);
                    moves.then_some(())
                })
                .is_some()
    }

    /// A question about an absolute path, in every spelling of it.
    pub(super) fn spelled_anywhere<T>(&self, path: &str, ask: impl Fn(&str, Case) -> Option<T>) -> Option<T> {
        match self.find(path) {
            Some((root, relative)) => self.spelled(Some(root), relative, |relative, case| {
                ask(&join(self.roots[root].spelling(case), relative), case)
            }),
            None => self.spelled(None, path, ask),
        }
    }

    /// The class of mandatory denies that refuses a place, if any: for
    /// changing it if `writes`, else for reading it.
    pub fn mandatory_at(&self, root: usize, relative: &str, writes: bool) -> Option<MandatoryClass> {
        self.spelled(Some(root), relative, |relative, case| {
            self.mandatory.class(Some(root), relative, writes, case)
        })
    }

    /// The same for an absolute, resolved path, in scope or not.
    pub fn mandatory(&self, path: &str, writes: bool) -> Option<MandatoryClass> {
        match self.find(path) {
            Some((root, relative)) => self.mandatory_at(root, relative, writes),
            None => self.spelled(None, path, |path, case| self.mandatory.class(None, path, writes, case)),
        }
    }

    /// Whether moving or touching the directory of this absolute path concerns
    /// files of a class of mandatory denies.
    pub(crate) fn holds_mandatory(&self, directory: &str) -> bool {
        let holds = |root, path: &str, case| self.mandatory.holds(root, path, case).then_some(());
        let found = match self.find(directory) {
            Some((root, relative)) => self.spelled(Some(root), relative, |path, case| holds(Some(root), path, case)),
            None => self.spelled(None, directory, |path, case| holds(None, path, case)),
        };
        found.is_some()
    }

    /// Whether entries of this directory can be hidden for the sake of where
    /// they are, so that each has to be asked about. `None` stands for no root.
    pub(crate) fn may_hide_in(&self, root: Option<usize>, directory: &str) -> bool {
        self.mandatory.hides_below(root, directory)
    }

    /// Whether an entry of this name can be hidden wherever it is.
    pub(crate) fn may_hide(name: &str) -> bool {
        super::mandatory::may_hide(name)
    }

    /// Objects that literal deny patterns named when the host started.
    pub(crate) fn pins(&self) -> &Pins {
        &self.pins
    }

    /// Whether nothing may be known of a place: it is denied, or of a class
    /// that is not read.
    fn hides(&self, root: usize, relative: &str) -> bool {
        self.denied(root, relative).is_some() || self.mandatory_at(root, relative, false).is_some()
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
        // A change is held to the name that was asked for as well as to where it leads.
        let kept = [&path, &resolved.path].map(|path| self.mandatory(path, true));
        Access {
            write: access.write && kept == [None, None],
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
