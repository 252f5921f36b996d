//! Where the files are.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::file::{Owner, private};
use super::origin::Origin;
use super::problem::Problem;

/// The directory of a project's own configuration.
pub const AGENTS: &str = ".agents";

/// The files in it, in the order of loading: what Toolgate alone reads comes last and wins.
pub const PROJECT_FILES: &[&str] = &["config.json", "toolgate.toml"];

/// The project that a directory belongs to: the one that holds `.agents` (D-18). A home directory
/// or `/` is none for what lies below it, or one file there would open all of it to the tools.
pub(super) fn project(start: &Path, agents: &Path) -> PathBuf {
    let holder = agents.parent();
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let is_usable = |holder: &&Path| holder.parent().is_some() && home.as_deref() != Some(*holder);
    holder.filter(is_usable).unwrap_or(start).to_owned()
}

/// The `.agents` directory of a project: that of `root` or of the nearest
/// directory above it. Everything else by that name is passed by.
///
/// # Errors
/// It belongs to somebody else, everybody may write to it, or it cannot be looked at.
pub fn agents_directory(root: &Path) -> Result<Option<PathBuf>, Problem> {
    let fail = |path: &Path, reason: String| Problem {
        origin: Origin::file(path, None),
        key: String::new(),
        reason,
    };
    let root = root.canonicalize().map_err(|error| fail(root, error.to_string()))?;
    for directory in root.ancestors() {
        let candidate = directory.join(AGENTS);
        match candidate.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                private(&candidate, &metadata, Owner::Ours).map_err(|reason| fail(&candidate, reason))?;
                return Ok(Some(candidate));
            }
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(fail(&candidate, error.to_string())),
        }
    }
    Ok(None)
}
