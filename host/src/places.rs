//! The user's own directories, by the XDG rules.

use std::path::{Path, PathBuf};

/// Toolgate's folder in a base directory: `$VARIABLE/toolgate`, or
/// `~/FALLBACK/toolgate`. A relative value of the variable counts as not set.
pub fn user_folder(variable: &str, fallback: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(std::env::home_dir()?.join(fallback)))
        .map(|path| path.join("toolgate"))
}

/// Where compiled components are kept unless told otherwise.
pub fn cache() -> Option<PathBuf> {
    user_folder("XDG_CACHE_HOME", ".cache")
}

/// Where the host keeps its own state unless told otherwise.
pub fn state() -> Option<PathBuf> {
    user_folder("XDG_STATE_HOME", ".local/state")
}

/// The folder of the audit log in a state directory.
pub fn audit(state: &Path) -> PathBuf {
    state.join("audit")
}

/// The user's own configuration file, if there is one. It is as trusted as the
/// command line.
pub fn configuration() -> Option<PathBuf> {
    let file = user_folder("XDG_CONFIG_HOME", ".config")?.join("config.toml");
    file.is_file().then_some(file)
}
