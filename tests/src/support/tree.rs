//! Temporary trees of files.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory that is removed at the end of the test.
pub struct Tree {
    _directory: TempDir,
    root: PathBuf,
}

impl Tree {
    /// A tree with these files: (path, content). Parents are made as needed.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let root = directory.path().canonicalize().expect("its real path");
        let tree = Self {
            _directory: directory,
            root,
        };
        for (path, content) in files {
            tree.write(path, content);
        }
        tree
    }

    /// The root, absolute and without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root as text, for command lines.
    ///
    /// # Panics
    /// When the path is not UTF-8.
    pub fn text(&self) -> &str {
        self.root.to_str().expect("a UTF-8 path")
    }

    /// Makes or replaces a file.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
        }
        std::fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// A file's content, or `None` if there is none.
    pub fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(path)).ok()
    }
}
