//! A tree of source files to search.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::text::{Random, source};

/// The fewest files that are worth a measurement.
const MIN_FILES: usize = 30_000;
/// Packages of a made tree.
const PACKAGES: usize = 400;
/// Folders of a package, and files in each.
const FOLDERS: &[(&str, usize)] = &[("", 6), ("src", 14), ("tests", 6), ("benches", 4), ("examples", 5)];
/// Modules of a package, and files in each.
const MODULES: (usize, usize) = (15, 4);
/// Sizes of files in bytes: the deciles and outer percentiles of a source registry.
const SIZES: &[(f64, f64)] = &[
    (0.0, 20.0),
    (0.10, 81.0),
    (0.25, 264.0),
    (0.50, 1_804.0),
    (0.75, 7_618.0),
    (0.90, 23_357.0),
    (0.99, 191_473.0),
    (1.0, 1_500_000.0),
];
/// Directories that the tool does not enter.
const SKIPPED: &[&str] = &[".git", ".svn", ".hg", "node_modules", "vendor"];

/// A tree in a temporary directory.
pub(crate) struct Tree {
    directory: tempfile::TempDir,
    source: &'static str,
    files: usize,
    bytes: u64,
}

impl Tree {
    /// Copies the text files of cargo's source registry if it has enough of them, or makes a tree
    /// that resembles one; then reads everything once.
    pub(crate) fn make() -> Outcome<Self> {
        let mut tree = Self {
            directory: tempfile::Builder::new().prefix("toolgate-bench-").tempdir()?,
            source: "made from a fixed seed",
            files: 0,
            bytes: 0,
        };
        match registry() {
            Some(registry) if count(&registry) >= MIN_FILES => {
                tree.source = "text files of cargo's source registry";
                let into = tree.path().to_owned();
                tree.copy(&registry, &into)?;
            }
            _ => tree.fill()?,
        }
        if tree.files < MIN_FILES {
            return Err(format!("the tree has {} files; {MIN_FILES} are needed", tree.files).into());
        }
        Ok(tree)
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn description(&self) -> String {
        format!("{} files, {} MB, {}", self.files, self.bytes / 1_000_000, self.source)
    }

    fn write(&mut self, path: &Path, content: &[u8]) -> Outcome<()> {
        std::fs::write(path, content)?;
        self.files += 1;
        self.bytes += content.len() as u64;
        Ok(())
    }

    fn fill(&mut self) -> Outcome<()> {
        let mut random = Random::new(1);
        let text = source(&mut random, 8 << 20);
        for package in 0..PACKAGES {
            let top = self.path().join(format!("package-{package}-1.{}.0", package % 10));
            let modules = (0..MODULES.0).map(|module| (format!("src/module_{module}"), MODULES.1));
            let folders = FOLDERS.iter().map(|(name, files)| ((*name).to_owned(), *files));
            for (folder, files) in folders.chain(modules) {
                let folder = top.join(folder);
                std::fs::create_dir_all(&folder)?;
                for file in 0..files {
                    let content = part(&text, &mut random);
                    self.write(&folder.join(format!("file_{file}.rs")), content.as_bytes())?;
                }
            }
        }
        Ok(())
    }

    fn copy(&mut self, from: &Path, to: &Path) -> Outcome<()> {
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            let name = entry.file_name();
            let kind = entry.file_type()?;
            let target = to.join(&name);
            if kind.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
                std::fs::create_dir(&target)?;
                self.copy(&entry.path(), &target)?;
            } else if kind.is_file() {
                let content = std::fs::read(entry.path())?;
                // Searchers differ in what they make of binary files, which is not what is measured.
                if !content.contains(&0) {
                    self.write(&target, &content)?;
                }
            }
        }
        Ok(())
    }
}

/// A piece of the text that starts with a line, of a size drawn from the distribution.
fn part<'a>(text: &'a str, random: &mut Random) -> &'a str {
    let size = size(random.unit());
    let from = random.below(text.len() - size);
    let from = text.as_bytes()[from..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| from + at + 1);
    let end = text.floor_char_boundary((from + size).min(text.len()));
    &text[from..end]
}

/// The size at a quantile: log-linear between the known ones.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn size(quantile: f64) -> usize {
    let after = SIZES
        .iter()
        .position(|(at, _)| quantile < *at)
        .unwrap_or(SIZES.len() - 1)
        .max(1);
    let ((low, small), (high, large)) = (SIZES[after - 1], SIZES[after]);
    let share = (quantile - low) / (high - low);
    (small * (large / small).powf(share)) as usize
}

fn registry() -> Option<PathBuf> {
    let home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir()?.join(".cargo"),
    };
    Some(home.join("registry/src"))
}

fn count(directory: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => count(&entry.path()),
            Ok(kind) => usize::from(kind.is_file()),
            Err(_) => 0,
        })
        .sum()
}
