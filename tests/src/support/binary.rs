//! Finding and starting the binary under test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary under test: `TOOLGATE_BIN`, or `toolgate` of the build that the
/// running test belongs to.
///
/// # Panics
/// When there is none, saying how to make it.
pub fn toolgate() -> PathBuf {
    let binary = match std::env::var_os("TOOLGATE_BIN") {
        Some(path) => PathBuf::from(path),
        None => build_directory().join("toolgate"),
    };
    assert!(
        binary.is_file(),
        "{} does not exist; run `make build`, or set TOOLGATE_BIN to the binary to test",
        binary.display()
    );
    binary
}

/// A command for the binary under test, apart from the user's own files: it
/// gets a home of its own, shared by all tests so that components are compiled
/// only once.
pub fn command() -> Command {
    let home = build_directory().join("test-home");
    std::fs::create_dir_all(&home).unwrap_or_else(|error| panic!("{}: {error}", home.display()));
    let mut command = Command::new(toolgate());
    for variable in [
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_STATE_HOME",
        "XDG_DATA_HOME",
        "TOOLGATE_LOG",
    ] {
        command.env_remove(variable);
    }
    command.env("HOME", home);
    command
}

/// `target/release` for a test in `target/release/deps`.
fn build_directory() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test executable");
    test.parent()
        .and_then(Path::parent)
        .expect("the test executable lies in target/PROFILE/deps")
        .to_owned()
}
