//! What is needed to build plugins; running them needs none of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Check, Status};

const TARGET: &str = "wasm32-unknown-unknown";
const LINKER: &str = "wasm-component-ld";

pub(super) fn checks() -> Vec<Check> {
    vec![std_library(), linker()]
}

fn std_library() -> Check {
    let folder = rustc(&["--print", "target-libdir", "--target", TARGET]);
    let (status, found) = match folder {
        Some(folder) if has_std(Path::new(&folder)) => (Status::Ok, format!("std for {TARGET}")),
        Some(_) => (Status::Weaker, format!("rustc without std for {TARGET}")),
        None => (Status::Weaker, "no rustc on PATH".to_owned()),
    };
    Check {
        name: "wasm toolchain",
        status,
        found,
        without: "plugins cannot be built here; try: rustup target add wasm32-unknown-unknown",
    }
}

fn linker() -> Check {
    let found = find_linker();
    Check {
        name: "component linker",
        status: if found.is_some() { Status::Ok } else { Status::Weaker },
        found: found.map_or_else(|| format!("no {LINKER}"), |path| path.display().to_string()),
        without: "plugins cannot be linked here; try: cargo install wasm-component-ld",
    }
}

/// Beside the compiler's own linkers, where rustup puts it, or on PATH.
fn find_linker() -> Option<PathBuf> {
    let beside = rustc(&["--print", "target-libdir"]).and_then(|folder| Some(Path::new(&folder).parent()?.join("bin")));
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    beside
        .into_iter()
        .chain(std::env::split_paths(&on_path))
        .map(|folder| folder.join(LINKER))
        .find(|file| file.is_file())
}

fn rustc(arguments: &[&str]) -> Option<String> {
    let output = Command::new("rustc").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn has_std(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    })
}
