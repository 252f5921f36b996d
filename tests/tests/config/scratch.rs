//! A project, a user's file and a state directory of their own.

use std::fs;
use std::path::PathBuf;

use toolgate::config::{ConfigErrors, DiscoverOptions, Effective, Layers, LoadedFile, TrustStore};

pub(crate) struct Scratch {
    base: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        fs::create_dir_all(base.path().join("project/.agents")).unwrap();
        Self { base }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.base.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn options(&self) -> DiscoverOptions {
        DiscoverOptions {
            root: self.path("project"),
            user_file: Some(self.path("user.toml")),
            state: Some(self.path("state")),
            ..DiscoverOptions::default()
        }
    }

    pub(crate) fn load(&self) -> Result<Effective, ConfigErrors> {
        Layers::discover(&self.options())
    }

    pub(crate) fn store(&self) -> TrustStore {
        TrustStore::open(Some(&self.path("state")))
    }

    /// The last file that took part.
    pub(crate) fn last(&self) -> LoadedFile {
        self.load().unwrap().files.last().unwrap().clone()
    }
}
