//! The cache of compiled components, for tests with a state directory of their own.

use std::path::{Path, PathBuf};

use super::{command, run};

/// Puts the key of the tests' cache into another state directory (for
/// `XDG_STATE_HOME`): with a key of its own every component would be compiled
/// again, there and then in every other test.
///
/// # Panics
/// When it cannot be copied.
pub fn share_cache_key(state: &Path) {
    let key = cache_key();
    let folder = state.join("toolgate");
    std::fs::create_dir_all(&folder).expect("a folder");
    // Copying keeps the mode, without which the key would be refused.
    std::fs::copy(&key, folder.join("cache.key")).unwrap_or_else(|error| panic!("{}: {error}", key.display()));
}

/// The key of the cache that the binary uses in tests, made by its first run.
///
/// # Panics
/// When the tests have no home.
pub fn cache_key() -> PathBuf {
    let command = command();
    let mut variables = command.get_envs();
    let home = variables.find(|(name, _)| *name == "HOME").and_then(|(_, value)| value);
    let key = Path::new(home.expect("the tests have a home")).join(".local/state/toolgate/cache.key");
    if !key.exists() {
        run(&["tools"]);
    }
    key
}
