//! Where the things under test are.

use std::path::PathBuf;

use toolgate_tests::rig::target;

use crate::Outcome;

/// The binary, built by `make build` beside this one.
pub(crate) fn binary() -> Outcome<PathBuf> {
    existing(std::env::current_exe()?.with_file_name("toolgate"), "make build")
}

/// A built-in component, as it is embedded.
pub(crate) fn component(name: &str) -> Outcome<PathBuf> {
    existing(target("components").join(format!("{name}.wasm")), "make components")
}

/// A home directory for started processes, so that they use no file of the user's.
pub(crate) fn home() -> Outcome<PathBuf> {
    let home = target("bench-home");
    std::fs::create_dir_all(&home)?;
    Ok(home.canonicalize()?)
}

fn existing(path: PathBuf, maker: &str) -> Outcome<PathBuf> {
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{} is missing; run `{maker}`", path.display()).into())
    }
}
