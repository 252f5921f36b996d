//! The parsed path scope of a tenant: roots, typed entries, deny list.

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags};

use super::access::Access;
use super::deny::DenyList;
use super::glob::PathPattern;
use super::lexical::{below, normalise};
use super::resolve::{Resolved, resolve, resolve_until};

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
    path: String,
    fd: OwnedFd,
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
struct Entry {
    pattern: PathPattern,
    access: Access,
}

/// What a tenant may reach. Immutable once built; cheap to share.
#[derive(Debug)]
pub struct PathScope {
    project: String,
    home: Option<String>,
    roots: Vec<Root>,
    entries: Vec<Entry>,
    deny: DenyList,
}

/// Collects the parts of a [`PathScope`].
#[derive(Debug, Default)]
pub struct PathScopeBuilder {
    project: String,
    home: Option<String>,
    allow: Vec<(String, Access)>,
    deny: Vec<String>,
    own: Vec<String>,
    filesystem_root: bool,
    no_project: bool,
}

impl PathScopeBuilder {
    /// The home directory that `~` stands for.
    #[must_use]
    pub fn home(mut self, home: Option<String>) -> Self {
        self.home = home;
        self
    }

    /// Adds an entry: a path, a subtree (`X/...`) or a glob, with its access.
    #[must_use]
    pub fn allow(mut self, pattern: impl Into<String>, access: Access) -> Self {
        self.allow.push((pattern.into(), access));
        self
    }

    /// Adds deny patterns.
    #[must_use]
    pub fn deny<I: IntoIterator<Item = S>, S: Into<String>>(mut self, patterns: I) -> Self {
        self.deny.extend(patterns.into_iter().map(Into::into));
        self
    }

    /// Directories of the host itself, absolute: never part of the scope.
    #[must_use]
    pub fn deny_own(mut self, directories: impl Iterator<Item = String>) -> Self {
        self.own.extend(directories);
        self
    }

    /// Opens one directory as a root, through no link; `None` if that fails.
    pub(crate) fn open_root(path: &str) -> Option<Root> {
        let fd = rustix::fs::openat2(
            rustix::fs::CWD,
            path,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
            rustix::fs::ResolveFlags::NO_SYMLINKS | rustix::fs::ResolveFlags::NO_MAGICLINKS,
        )
        .ok()?;
        Some(Root {
            path: path.to_owned(),
            fd,
        })
    }

    /// Permits `/` as root or as the top of an entry.
    #[must_use]
    pub fn filesystem_root(mut self, permitted: bool) -> Self {
        self.filesystem_root = permitted;
        self
    }

    /// Grants nothing in the project directory itself: only the entries count.
    #[must_use]
    pub fn without_project(mut self) -> Self {
        self.no_project = true;
        self
    }

    /// Parses everything and opens the roots.
    ///
    /// # Errors
    /// Names the pattern or root at fault.
    pub fn build(self) -> Result<PathScope, ScopeError> {
        let project = resolve_root(&self.project, self.home.as_deref())?;
        let mut entries = Vec::new();
        if !self.no_project {
            if project == "/" && !self.filesystem_root {
                return Err(ScopeError::Root {
                    path: self.project,
                    reason: "it would put the whole file system in scope; choose a project directory, or set \
                             permissions.allow_filesystem_root"
                        .to_owned(),
                });
            }
            entries.push(Entry {
                pattern: PathPattern::Subtree(project.clone()),
                access: Access::READ_WRITE,
            });
        }
        for (text, access) in &self.allow {
            let bad = |reason: String| ScopeError::pattern("path_scope.allow", text, reason);
            let bare = if text == "/" { text } else { text.trim_end_matches('/') };
            let absolute = absolute_pattern(bare, &project, self.home.as_deref()).map_err(bad)?;
            for spelling in spellings(&absolute) {
                let pattern = PathPattern::parse(&spelling).map_err(bad)?;
                if pattern.top() == "/" && !self.filesystem_root {
                    return Err(bad(
                        "it covers the whole file system; name a directory, or set permissions.allow_filesystem_root"
                            .to_owned(),
                    ));
                }
                entries.push(Entry {
                    pattern,
                    access: *access,
                });
            }
        }
        let roots = open_roots(&entries)?;
        let mut deny = self.deny;
        // Only what a root contains needs a pattern; without any the deny list stays empty and costs nothing.
        for directory in self.own {
            let resolved = resolve(&directory, true).map_or(directory, |resolved| resolved.path);
            if roots.iter().any(|root| below(&root.path, &resolved).is_some()) {
                deny.push(format!("{resolved}/..."));
            }
        }
        let deny = DenyList::compile(&deny, &project, self.home.as_deref())?;
        Ok(PathScope {
            project,
            home: self.home,
            roots,
            entries,
            deny,
        })
    }
}

impl PathScope {
    /// A scope around a project directory, to which relative paths refer.
    pub fn builder(project: impl Into<String>) -> PathScopeBuilder {
        PathScopeBuilder {
            project: project.into(),
            ..PathScopeBuilder::default()
        }
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

/// Expands `~` and `./`, cleans the path, and refuses other relative forms.
pub(super) fn absolute_pattern(text: &str, project: &str, home: Option<&str>) -> Result<String, String> {
    let anchored =
        text.starts_with('/') || text.starts_with("./") || text == "." || text == "~" || text.starts_with("~/");
    if !anchored {
        return Err(format!(
            "it is relative; write ./{text} for the project, or an absolute path"
        ));
    }
    if text.starts_with("//") {
        return Err("it starts with //; use a single /".to_owned());
    }
    // `...` is a name to the normaliser, so the subtree form passes through it.
    normalise(project, home, text).map_err(|error| error.to_string())
}

/// A pattern and, where its literal top leads through symbolic links, the
/// same pattern with the top resolved.
pub(super) fn spellings(absolute: &str) -> Vec<String> {
    let mut all = vec![absolute.to_owned()];
    if let Ok(pattern) = PathPattern::parse(absolute) {
        let top = pattern.top().to_owned();
        if let Ok(resolved) = resolve(&top, true)
            && resolved.path != top
            && let Some(other) = PathPattern::with_top(absolute, &top, &resolved.path)
        {
            all.push(other);
        }
    }
    all
}

fn resolve_root(given: &str, home: Option<&str>) -> Result<String, ScopeError> {
    let fail = |reason: String| ScopeError::Root {
        path: given.to_owned(),
        reason,
    };
    let path = normalise("/", home, given).map_err(|error| fail(error.to_string()))?;
    let resolved = resolve(&path, true).map_err(|error| fail(error.to_string()))?;
    if !resolved.exists {
        return Err(fail("it does not exist".to_owned()));
    }
    let stat = rustix::fs::stat(&*resolved.path).map_err(|error| fail(error.to_string()))?;
    if rustix::fs::FileType::from_raw_mode(stat.st_mode) != rustix::fs::FileType::Directory {
        return Err(fail("it is not a directory".to_owned()));
    }
    Ok(resolved.path)
}

/// Opens the directories below which all entries lie, outermost only.
fn open_roots(entries: &[Entry]) -> Result<Vec<Root>, ScopeError> {
    let mut tops: Vec<String> = entries
        .iter()
        .map(|entry| match &entry.pattern {
            PathPattern::Exact(path) => parent(path).to_owned(),
            pattern => {
                let top = pattern.top();
                // A subtree entry may name a file, or a directory yet to come.
                let is_directory = rustix::fs::stat(top).is_ok_and(|stat| {
                    rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Directory
                });
                if is_directory { top } else { parent(top) }.to_owned()
            }
        })
        .collect();
    tops.sort();
    tops.dedup();
    let mut roots: Vec<Root> = Vec::new();
    for top in tops {
        if roots.iter().any(|root| below(&root.path, &top).is_some()) {
            continue;
        }
        match rustix::fs::open(
            &*top,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW,
            Mode::empty(),
        ) {
            Ok(fd) => roots.push(Root { path: top, fd }),
            // An entry for something that does not exist stays inert until the next start.
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP) => {
                tracing::warn!(path = %top, "path_scope entry names nothing that exists; it has no effect");
            }
            Err(error) => {
                return Err(ScopeError::Root {
                    path: top,
                    reason: error.to_string(),
                });
            }
        }
    }
    Ok(roots)
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(end) => &path[..end],
    }
}
