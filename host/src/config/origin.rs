//! Where a value came from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::key_path::KeyPath;

/// Where one value came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// Nobody set it.
    #[default]
    Default,
    /// A file, and the line if the value has one of its own.
    File {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: Option<usize>,
    },
    /// A flag of the command line, as written.
    Flag(String),
}

impl Origin {
    pub(super) fn file(path: &Path, line: Option<usize>) -> Self {
        Self::File {
            path: path.to_owned(),
            line,
        }
    }

    /// The origin as JSON: `{"default": true}`, `{"file", "line"}` or `{"flag"}`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Default => json!({"default": true}),
            Self::File { path, line: Some(line) } => json!({"file": path.display().to_string(), "line": line}),
            Self::File { path, line: None } => json!({"file": path.display().to_string()}),
            Self::Flag(flag) => json!({"flag": flag}),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line: Some(line) } => write!(f, "{}:{line}", path.display()),
            Self::File { path, line: None } => write!(f, "{}", path.display()),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// The origin of every value that somebody set.
#[derive(Debug, Clone, Default)]
pub struct Origins(BTreeMap<String, Origin>);

impl Origins {
    pub(super) fn note(&mut self, key: &KeyPath, origin: Origin) {
        self.0.insert(key.to_string(), origin);
    }

    /// Where the value of a key came from, such as `permissions.mode` or
    /// `permissions.deny[2]`; the parts of a value come from where it came from.
    pub fn of(&self, key: &str) -> &Origin {
        let mut key = key;
        loop {
            if let Some(origin) = self.0.get(key) {
                return origin;
            }
            match key.rfind(['.', '[']) {
                Some(end) => key = &key[..end],
                None => return &Origin::Default,
            }
        }
    }

    /// Every key that somebody set, with where.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Origin)> {
        self.0.iter().map(|(key, origin)| (key.as_str(), origin))
    }
}
