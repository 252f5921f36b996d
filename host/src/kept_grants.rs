//! Lasting grants in a configuration file.

use std::path::PathBuf;

use crate::config::Writer;
use crate::gate::GrantStore;
use crate::scope::Access;

/// Keeps lasting grants in the file that later processes read them from.
pub(crate) struct KeptGrants {
    file: PathBuf,
    writer: Writer,
}

impl KeptGrants {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            writer: Writer::new(file.clone()),
            file,
        }
    }

    /// The directory may not be there yet: nobody else is to look into it.
    fn prepare(&self) -> Result<(), String> {
        let Some(directory) = self.file.parent() else {
            return Ok(());
        };
        if directory.is_dir() {
            return Ok(());
        }
        crate::sandbox::cache::open_private(directory).map(drop)
    }
}

impl GrantStore for KeptGrants {
    fn allow(&self, rule: &str) -> Result<(), String> {
        self.prepare()?;
        let written = self.writer.append("permissions.allow", rule);
        written.map(drop).map_err(|error| error.to_string())
    }

    fn allow_path(&self, pattern: &str, access: Access) -> Result<(), String> {
        self.prepare()?;
        let written = self.writer.allow_path(pattern, access);
        written.map(drop).map_err(|error| error.to_string())
    }
}
