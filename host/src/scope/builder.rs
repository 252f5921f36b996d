//! Building a path scope: entries parsed, roots opened.

use rustix::fs::{Mode, OFlags};

use super::access::Access;
use super::deny::DenyList;
use super::glob::{Literal, PathPattern};
use super::lexical::{below, normalise};
use super::mandatory::Mandatory;
use super::path_scope::{Entry, PathScope, Root, ScopeError};
use super::pins::Pins;
use super::resolve::resolve;

/// Collects the parts of a [`PathScope`].
#[derive(Debug, Default)]
pub struct PathScopeBuilder {
    project: String,
    home: Option<String>,
    allow: Vec<(String, Access)>,
    deny: Vec<String>,
    own: Vec<String>,
    lift: Vec<String>,
    filesystem_root: bool,
    no_project: bool,
}

impl PathScopeBuilder {
    pub(super) fn new(project: String) -> Self {
        Self {
            project,
            ..Self::default()
        }
    }

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

    /// Names of classes of mandatory denies that are not in force: see
    /// [`MandatoryClass`](super::MandatoryClass). A name that is none is an error of [`Self::build`].
    #[must_use]
    pub fn lift<I: IntoIterator<Item = S>, S: Into<String>>(mut self, classes: I) -> Self {
        self.lift.extend(classes.into_iter().map(Into::into));
        self
    }

    /// Directories of the host itself, absolute: the mandatory class `own`.
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
        Some(Root::new(path.to_owned(), fd))
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
                pattern: PathPattern::Subtree(Literal::new(project.clone())),
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
        let own = self.own.into_iter().map(|directory| {
            let resolved = resolve(&directory, true);
            resolved.map_or(directory, |resolved| resolved.path)
        });
        let lifted: Result<_, _> = self.lift.iter().map(|class| class.parse()).collect();
        let mandatory = Mandatory::new(lifted.map_err(ScopeError::Lift)?, own.collect(), &roots);
        let deny = DenyList::compile(&self.deny, &project, self.home.as_deref())?;
        let pins = Pins::of(deny.literals());
        Ok(PathScope {
            project,
            home: self.home,
            roots,
            entries,
            deny,
            mandatory,
            pins,
        })
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
            PathPattern::Exact(exact) => parent(&exact.path).to_owned(),
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
            Ok(fd) => roots.push(Root::new(top, fd)),
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

/// Whether an entry of `path_scope.allow` can be used, whatever the project and its home.
///
/// # Errors
/// What is wrong with it.
pub fn check_entry(text: &str) -> Result<(), String> {
    let bare = if text == "/" { text } else { text.trim_end_matches('/') };
    let absolute = absolute_pattern(bare, "/project", Some("/home"))?;
    PathPattern::parse(&absolute).map(|_| ())
}

/// Whether a pattern of `path_scope.deny` can be used, likewise.
///
/// # Errors
/// What is wrong with it.
pub fn check_deny(text: &str) -> Result<(), String> {
    match DenyList::compile(&[text.to_owned()], "/project", Some("/home")) {
        Ok(_) => Ok(()),
        Err(ScopeError::Pattern { reason, .. }) => Err(reason),
        Err(other) => Err(other.to_string()),
    }
}
