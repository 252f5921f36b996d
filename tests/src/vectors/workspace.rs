//! The directories a row plays in, and the names under which vectors speak of them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value};
use tempfile::TempDir;

use super::setup::{FileStep, ManyFiles, Step};

/// Two fresh sibling directories: `W`, the scope root and working directory, and `O`, outside of it.
///
/// Vectors name them as the first path segment (`W/a`, `O/s`, or `W` alone) or anywhere as `$W`, `$O` and `$B`, the last being the
/// directory that holds both. All are removed when the value is dropped.
#[derive(Debug)]
pub struct Workspace {
    _base: TempDir,
    base: PathBuf,
    inside: PathBuf,
    outside: PathBuf,
    prompts: Arc<AtomicUsize>,
    restricted: Vec<PathBuf>,
}

impl Workspace {
    /// Creates the directories and applies `setup` in order. An error names the step that could not be made.
    pub fn create(setup: &[Step]) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("cannot create the directories of the row: {error}");
        // A visible prefix: tempfile's own begins with a dot, which patterns about hidden names would notice.
        let holder = tempfile::Builder::new().prefix("vectors-").tempdir().map_err(failed)?;
        // Results carry resolved paths, so the names that are compared with them must be resolved too.
        let base = holder.path().canonicalize().map_err(failed)?;
        let (inside, outside) = (base.join("proj"), base.join("out"));
        std::fs::create_dir(&inside).map_err(failed)?;
        std::fs::create_dir(&outside).map_err(failed)?;
        let mut workspace = Self {
            _base: holder,
            base,
            inside,
            outside,
            prompts: Arc::default(),
            restricted: Vec::new(),
        };
        for step in setup {
            workspace
                .apply(step)
                .map_err(|error| format!("setup step {step:?}: {error}"))?;
        }
        Ok(workspace)
    }

    /// The directory `W`, absolute and free of symbolic links.
    pub fn inside(&self) -> &Path {
        &self.inside
    }

    /// The directory `O`, absolute and free of symbolic links.
    pub fn outside(&self) -> &Path {
        &self.outside
    }

    /// How many prompts were shown; a stand-in for the operator counts them here.
    pub fn prompts(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.prompts)
    }

    pub(super) fn prompt_count(&self) -> usize {
        self.prompts.load(Ordering::SeqCst)
    }

    /// Puts the real directories in place of their names.
    pub fn expand(&self, text: &str) -> String {
        for (name, dir) in [("W", &self.inside), ("O", &self.outside)] {
            match text.strip_prefix(name) {
                Some("") => return dir.display().to_string(),
                Some(rest) if rest.starts_with('/') => return format!("{}{rest}", dir.display()),
                _ => {}
            }
        }
        [("$W", &self.inside), ("$O", &self.outside), ("$B", &self.base)]
            .iter()
            .fold(text.to_owned(), |text, (name, dir)| {
                text.replace(name, &dir.display().to_string())
            })
    }

    /// [`expand`](Self::expand) for a permission rule `tool:glob` or `glob`.
    pub fn expand_rule(&self, rule: &str) -> String {
        match rule.split_once(':') {
            Some((tool, glob)) => format!("{tool}:{}", self.expand(glob)),
            None => self.expand(rule),
        }
    }

    /// [`expand`](Self::expand) for every string within `value`; `{"$repeat": [text, times]}` becomes one long string.
    pub fn expand_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.expand(text)),
            Value::Array(items) => items.iter().map(|item| self.expand_value(item)).collect(),
            Value::Object(fields) => match repeated(fields) {
                Some(text) => Value::String(text),
                None => fields
                    .iter()
                    .map(|(name, value)| (name.clone(), self.expand_value(value)))
                    .collect(),
            },
            other => other.clone(),
        }
    }

    /// The real path of a name such as `W/a`.
    pub fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(self.expand(name))
    }

    fn apply(&mut self, step: &Step) -> Result<(), String> {
        let text = |error: std::io::Error| error.to_string();
        match step {
            Step::File(file) => self.write(file),
            Step::Dir { dir, mode } => {
                let path = self.path(dir);
                std::fs::create_dir_all(&path).map_err(text)?;
                match mode {
                    Some(mode) => {
                        self.restricted.push(path.clone());
                        set_mode(&path, mode)
                    }
                    None => Ok(()),
                }
            }
            Step::Symlink { symlink, to } => {
                std::os::unix::fs::symlink(self.expand(to), self.with_parents(symlink)?).map_err(text)
            }
            Step::Hardlink { hardlink, to } => {
                std::fs::hard_link(self.path(to), self.with_parents(hardlink)?).map_err(text)
            }
            Step::Fifo { fifo } => {
                let mode = rustix::fs::Mode::from_raw_mode(0o644);
                rustix::fs::mkfifoat(rustix::fs::CWD, self.with_parents(fifo)?, mode).map_err(|e| e.to_string())
            }
            Step::Many {
                many_files: ManyFiles { dir, prefix, count },
            } => (0..*count).try_for_each(|number| {
                let path = self.with_parents(&format!("{dir}/{prefix}{number:03}"))?;
                std::fs::write(path, "").map_err(text)
            }),
        }
    }

    fn write(&self, file: &FileStep) -> Result<(), String> {
        let path = self.with_parents(&file.file)?;
        std::fs::write(&path, file.content()?).map_err(|error| error.to_string())?;
        set_mode(&path, file.mode.as_deref().unwrap_or("0644"))?;
        match file.mtime {
            Some(mtime) => mtime.apply(&path).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn with_parents(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        }
        Ok(path)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // A directory without permissions could not be emptied; if this fails too, the system's own clean-up is left.
        for path in &self.restricted {
            let _ = set_mode(path, "0755");
        }
    }
}

/// Permission bits written in octal.
pub(super) fn parse_mode(mode: &str) -> Result<u32, String> {
    u32::from_str_radix(mode, 8).map_err(|_| format!("{mode:?} is no octal mode; write it like 0755"))
}

fn set_mode(path: &Path, mode: &str) -> Result<(), String> {
    let permissions = std::fs::Permissions::from_mode(parse_mode(mode)?);
    std::fs::set_permissions(path, permissions).map_err(|error| error.to_string())
}

fn repeated(fields: &Map<String, Value>) -> Option<String> {
    match fields.get("$repeat")?.as_array()?.as_slice() {
        [Value::String(text), times] if fields.len() == 1 => Some(text.repeat(usize::try_from(times.as_u64()?).ok()?)),
        _ => None,
    }
}
