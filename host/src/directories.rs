//! The directories of a host: its own, and the root it is given.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::builder::BuildError;
use crate::scope::{PathScope, ScopeError};

/// Where the host keeps what is its own.
pub(crate) struct Directories {
    pub(crate) cache: Option<PathBuf>,
    pub(crate) state: Option<PathBuf>,
}

impl Directories {
    pub(crate) fn new(cache: Option<PathBuf>, state: Option<PathBuf>) -> Self {
        Self {
            cache: cache.or_else(crate::places::cache),
            state: state.or_else(crate::places::state),
        }
    }

    /// The folder for notes of unfinished replacements, swept of old ones.
    pub(crate) fn pending(&self) -> Option<Arc<Path>> {
        let folder = self.state.as_ref()?.join("pending");
        crate::sandbox::cache::open_private(&folder).ok()?;
        crate::sandbox::sweep_pending(&folder);
        Some(folder.into())
    }
}

/// A root as a text that does not depend on the working directory.
pub(crate) fn absolute(path: &Path) -> Result<String, BuildError> {
    let fail = |reason: String| ScopeError::Root {
        path: path.display().to_string(),
        reason,
    };
    let path = std::path::absolute(path).map_err(|error| fail(error.to_string()))?;
    match path.to_str() {
        Some(path) => Ok(path.to_owned()),
        None => Err(fail("its name is not UTF-8".to_owned()).into()),
    }
}

/// Without `openat2` there is no safe way to open anything: refuse to start.
pub(crate) fn probe(scope: &PathScope) -> Result<(), BuildError> {
    let Some(root) = scope.roots().first() else {
        return Ok(());
    };
    match rustix::fs::openat2(
        root,
        ".",
        rustix::fs::OFlags::PATH | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
        rustix::fs::ResolveFlags::BENEATH | rustix::fs::ResolveFlags::NO_SYMLINKS,
    ) {
        Ok(_) => Ok(()),
        Err(error) => Err(BuildError::Sandbox(format!(
            "openat2 does not work here ({error}); it needs Linux 5.6 or newer, and a container profile that permits it"
        ))),
    }
}
