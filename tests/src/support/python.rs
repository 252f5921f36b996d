//! Python programs that drive the binary.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::binary::{command, toolgate};
use super::run::Run;

/// The Python with the packages of `mcp_client/requirements.txt`:
/// `TOOLGATE_PYTHON`, or that of `.venv` at the top of the repository.
///
/// # Panics
/// When there is none, saying how to get it.
pub fn python() -> PathBuf {
    let python = match std::env::var_os("TOOLGATE_PYTHON") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/bin/python"),
    };
    assert!(
        python.is_file(),
        "{} does not exist; run `make setup`, or set TOOLGATE_PYTHON to a Python with the packages of \
         tests/mcp_client/requirements.txt",
        python.display()
    );
    python
}

/// Runs a program of `tests/mcp_client` with the binary as first argument.
///
/// # Panics
/// When it cannot be started.
pub fn mcp_client(program: &str, arguments: &[&str]) -> Run {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp_client");
    let mut python = Command::new(python());
    python
        .arg(folder.join(program))
        .arg(toolgate())
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    // The same home as every other test gives to the binary.
    for (name, value) in command().get_envs() {
        match value {
            Some(value) => python.env(name, value),
            None => python.env_remove(name),
        };
    }
    let output = python.output().expect("Python starts");
    Run {
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
