//! Adds an entry to a list of a configuration file, and leaves everything else of its text as it is.
//! Called for answers of the operator that are to last; the next load reads what was written.
//! Must not touch: what is in force. A file that cannot be used is not changed.

mod json;
mod replace;
mod toml;

use std::path::{Path, PathBuf};

use super::document::Notation;
use super::key_path::KeyPath;
use super::keys::{self, Merge};
use super::layer::{Layer, notation};
use crate::scope::Access;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It stands in the file now.
    Added,
    /// An entry for the same path has more access now.
    Widened,
    /// The file said so before; it was not touched.
    Unchanged,
}

/// The text after an edit; `None` if it says so already.
type Edited = Result<Option<(String, Written)>, String>;

/// Writes to one configuration file.
#[derive(Debug, Clone)]
pub struct Writer {
    file: PathBuf,
}

impl Writer {
    /// A writer to a `.toml` or `.json` file, which need not exist. A link is followed to its target.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into() }
    }

    /// Adds a text to a list, such as a rule to `permissions.allow`, unless it is there. Other
    /// processes that write wait for each other; a reader sees the old file or the new one.
    ///
    /// # Errors
    /// The key is no list of texts, the file cannot be used before or after the change, or it
    /// cannot be written. Then it is as it was.
    pub fn append(&self, key: &str, entry: &str) -> Result<Written, WriteError> {
        let path = KeyPath::of(key);
        let is_list = keys::find(&path).is_some_and(|key| key.merge == Merge::Append);
        let (Some((section, list)), true) = (key.split_once('.'), is_list && key != ALLOW_PATHS) else {
            return Err(self.fail(format!("{key} is no list of texts")));
        };
        self.change(|text, notation| match notation {
            Notation::Json => json::append(text, section, list, entry),
            Notation::Toml => toml::append(text, section, list, entry),
        })
    }

    /// Adds an entry to `path_scope.allow_paths`. One for the same pattern gets what access it
    /// lacks instead.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn allow_path(&self, pattern: &str, access: Access) -> Result<Written, WriteError> {
        self.change(|text, notation| match notation {
            Notation::Json => json::allow_path(text, pattern, access),
            Notation::Toml => toml::allow_path(text, pattern, access),
        })
    }

    fn change(&self, edit: impl FnOnce(&str, Notation) -> Edited) -> Result<Written, WriteError> {
        let change = || {
            let notation = notation(&self.file)?;
            let place = replace::Place::lock(&self.file)?;
            let text = match place.read()? {
                Some(text) => text,
                None => empty(notation).to_owned(),
            };
            usable(&self.file, &text)?;
            let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let Some((new, written)) = edit(bare, notation)? else {
                return Ok(Written::Unchanged);
            };
            usable(&self.file, &new)?;
            place.write(&new)?;
            Ok(written)
        };
        change().map_err(|reason| self.fail(reason))
    }

    fn fail(&self, reason: String) -> WriteError {
        WriteError {
            path: self.file.clone(),
            reason,
        }
    }
}

/// The list whose entries are no texts.
const ALLOW_PATHS: &str = "path_scope.allow_paths";

fn empty(notation: Notation) -> &'static str {
    match notation {
        Notation::Json => "{\n  \"version\": 1\n}\n",
        Notation::Toml => "version = 1\n",
    }
}

fn usable(path: &Path, text: &str) -> Result<(), String> {
    match Layer::file(path, text) {
        Ok(_) => Ok(()),
        Err(problems) => Err(problems.first().map_or_else(String::new, |problem| {
            format!(
                "it cannot be used, so it is left as it is: {}: {}",
                problem.key, problem.reason
            )
        })),
    }
}

/// What an entry with one access and another's has in all.
fn union(known: Access, more: Access) -> Option<Access> {
    let all = known.union(more);
    (all != known).then_some(all)
}
