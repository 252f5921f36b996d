//! Other programs that do the same work.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::Outcome;

/// The first of these programs that is installed.
pub(crate) fn installed(names: &[&'static str]) -> Option<&'static str> {
    let path = std::env::var_os("PATH")?;
    let is_there = |name: &&&str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    names.iter().find(is_there).copied()
}

/// Runs a program in a directory to its end; its output and how long it took, start included.
pub(crate) fn run(program: &str, arguments: &[&str], directory: &Path) -> Outcome<(Vec<u8>, Duration)> {
    let started = Instant::now();
    let output = Command::new(program).args(arguments).current_dir(directory).output()?;
    let took = started.elapsed();
    if output.status.success() {
        Ok((output.stdout, took))
    } else {
        Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stderr)).into())
    }
}

/// Lines of a program's output.
pub(crate) fn lines(output: &[u8]) -> usize {
    output.iter().filter(|byte| **byte == b'\n').count()
}
