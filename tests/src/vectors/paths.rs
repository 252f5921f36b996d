//! Rows of `path-scope.json` and `path-deny.json`.

use serde::Deserialize;

/// What the path scope grants on one requested path. Strings are expanded by [`Workspace::expand`](super::Workspace::expand).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathScopeRow {
    /// Unique within the file.
    pub id: String,
    /// Why, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// The scope roots, readable and writable unless an entry is narrower.
    pub roots: Vec<String>,
    /// Further entries of the configuration, in this order.
    #[serde(default)]
    pub allow_paths: Vec<AllowPath>,
    /// Patterns of `path_scope.deny`.
    #[serde(default)]
    pub deny: Vec<String>,
    /// The path as the caller wrote it; relative ones start at `$W`. Absent in rows about loading.
    #[serde(default)]
    pub request: Option<String>,
    /// `rw`, `r`, `w` or `none`. Absent in rows about loading.
    #[serde(default)]
    pub access: Option<String>,
    /// The configuration must be refused when it is loaded.
    #[serde(default)]
    pub load_error: bool,
    /// Holds only for a process that permission bits bind, see [`running_as_root`].
    #[serde(default)]
    pub unprivileged: bool,
}

/// One entry of `path_scope.allow_paths`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowPath {
    /// The pattern.
    pub path: String,
    /// `r`, `w` or `rw`.
    pub access: String,
}

/// Deny patterns, and paths that they must and must not deny.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathDenyRow {
    /// Unique within the file.
    pub id: String,
    /// The property of the pattern language that the row is about.
    #[serde(default)]
    pub why: Option<String>,
    /// The deny patterns, in force together.
    pub patterns: Vec<String>,
    /// Allow entries, in force as well; deny wins over them.
    #[serde(default)]
    pub allow_paths: Vec<AllowPath>,
    /// Paths relative to the root that are denied; `.` is the root itself.
    #[serde(default)]
    pub denied: Vec<String>,
    /// Paths relative to the root that are not.
    #[serde(default)]
    pub open: Vec<String>,
    /// The patterns must be refused when they are loaded.
    #[serde(default)]
    pub load_error: bool,
}

/// One pair of patterns and path.
#[derive(Clone, Debug)]
pub struct PathDenyCase {
    /// For reports: the row and the path.
    pub id: String,
    /// The deny patterns.
    pub patterns: Vec<String>,
    /// Allow entries that must not help.
    pub allow_paths: Vec<AllowPath>,
    /// Relative to the root.
    pub path: String,
    /// Whether the path is denied.
    pub denied: bool,
}

impl PathDenyRow {
    /// The row taken apart, one case for each path; none for a row about loading.
    pub fn cases(&self) -> impl Iterator<Item = PathDenyCase> + '_ {
        let denied = self.denied.iter().map(|path| (path, true));
        let open = self.open.iter().map(|path| (path, false));
        denied.chain(open).map(|(path, denied)| PathDenyCase {
            id: format!("{} {path:?}", self.id),
            patterns: self.patterns.clone(),
            allow_paths: self.allow_paths.clone(),
            path: path.clone(),
            denied,
        })
    }
}

/// Whether this process may pass permission bits by, so that rows marked `unprivileged` say nothing.
pub fn running_as_root() -> bool {
    rustix::process::geteuid().is_root()
}
