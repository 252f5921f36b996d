//! One layer: a file or the command line, checked, as a list of values with their origins.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::check::{self, Complaint, Severity};
use super::clean::{self, Leaf};
use super::document::{Document, Notation};
use super::key_path::KeyPath;
use super::keys::{self, Support};
use super::origin::Origin;
use super::problem::{Problem, Remark};
use super::schema::Config;

/// A layer that can be merged.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) leaves: Vec<Leaf>,
    places: Places,
    pub(super) remarks: Vec<Remark>,
}

/// Where the values of a layer are written.
#[derive(Debug)]
enum Places {
    File {
        path: std::path::PathBuf,
        document: Document,
    },
    Flags(BTreeMap<KeyPath, String>),
}

impl Places {
    fn origin(&self, path: &KeyPath) -> Origin {
        match self {
            Self::File { path: file, document } => Origin::file(file, document.line(path)),
            Self::Flags(flags) => {
                let mut path = path.clone();
                loop {
                    if let Some(flag) = flags.get(&path) {
                        return Origin::Flag(flag.clone());
                    }
                    match path.parent() {
                        Some(parent) => path = parent,
                        None => return Origin::Flag("the command line".to_owned()),
                    }
                }
            }
        }
    }
}

impl Places {
    /// Paths of components and certificates in a file are meant beside the file, wherever the process runs.
    fn settle(&self, leaves: &mut [Leaf]) {
        let Self::File { path, .. } = self else { return };
        let Some(folder) = path.parent() else { return };
        let files = leaves
            .iter_mut()
            .filter(|leaf| matches!(leaf.key.pattern, "tools.plugins" | "url_scope.ca_file"));
        let entries = files.flat_map(|leaf| match &mut leaf.value {
            Value::Array(list) => list.iter_mut().collect(),
            value => vec![value],
        });
        for entry in entries {
            if let Some(file) = entry.as_str() {
                *entry = folder.join(file).to_string_lossy().into_owned().into();
            }
        }
    }
}

impl Layer {
    /// Reads a file's text.
    pub(super) fn file(path: &Path, text: &str) -> Result<Self, Vec<Problem>> {
        let notation = notation(path).map_err(|reason| vec![whole(path, reason)])?;
        let mut document = Document::parse(text, notation).map_err(|errors| {
            errors
                .into_iter()
                .map(|error| Problem {
                    origin: Origin::file(path, error.line),
                    key: String::new(),
                    reason: error.reason,
                })
                .collect::<Vec<_>>()
        })?;
        let value = std::mem::take(&mut document.value);
        let path = path.to_owned();
        Self::checked(value, notation, Places::File { path, document })
    }

    /// Takes what the command line says, with the flag of each value.
    pub(super) fn flags(value: Value, flags: BTreeMap<KeyPath, String>) -> Result<Self, Vec<Problem>> {
        Self::checked(value, Notation::Toml, Places::Flags(flags))
    }

    fn checked(mut value: Value, notation: Notation, places: Places) -> Result<Self, Vec<Problem>> {
        let mut complaints = check::shape(&value, notation);
        complaints.extend(foreign(&value, notation));
        clean::prune(&mut value, &complaints);
        match serde_json::from_value::<Config>(value.clone()) {
            Ok(config) => {
                let found = check::semantics(&config);
                clean::prune(&mut value, &found);
                complaints.extend(found);
            }
            // The schema and the types disagree; saying so is better than guessing.
            Err(error) => complaints.push(Complaint::error(KeyPath::default(), error.to_string())),
        }
        let mut leaves = clean::leaves(value);
        places.settle(&mut leaves);
        complaints.extend(leaves.iter().filter_map(|leaf| unsupported(leaf, notation)));
        let (mut problems, mut remarks) = (Vec::new(), Vec::new());
        for complaint in complaints {
            let (origin, key) = (places.origin(&complaint.path), complaint.path.to_string());
            match complaint.severity {
                Severity::Error => problems.push(Problem {
                    origin,
                    key,
                    reason: complaint.text,
                }),
                _ => remarks.push(Remark {
                    origin,
                    key,
                    text: complaint.text,
                }),
            }
        }
        if problems.is_empty() {
            Ok(Self {
                leaves,
                places,
                remarks,
            })
        } else {
            problems.sort_by_key(|problem| match &problem.origin {
                Origin::File { line, .. } => *line,
                _ => None,
            });
            Err(problems)
        }
    }

    /// Where a value is written.
    pub(super) fn origin(&self, path: &KeyPath) -> Origin {
        self.places.origin(path)
    }
}

/// The notation that a file's name tells.
pub(super) fn notation(path: &Path) -> Result<Notation, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(Notation::Json),
        Some("toml") => Ok(Notation::Toml),
        _ => Err("the name must end in .toml or .json".to_owned()),
    }
}

pub(super) fn whole(path: &Path, reason: String) -> Problem {
    Problem {
        origin: Origin::file(path, None),
        key: String::new(),
        reason,
    }
}

/// Sections that are not ours: a word in a shared file, an error in one of ours.
fn foreign(value: &Value, notation: Notation) -> Vec<Complaint> {
    let present = keys::FOREIGN.iter().filter(|(name, _)| value.get(name).is_some());
    let complaint = |(name, _): &(&str, &str)| {
        let text = "it is not for a host of tools and has no effect";
        match notation {
            Notation::Json => Complaint::remark(KeyPath::of(name), text),
            Notation::Toml => Complaint::error(KeyPath::of(name), text),
        }
    };
    present.map(complaint).collect()
}

/// What to say of a key that this build does not heed.
fn unsupported(leaf: &Leaf, notation: Notation) -> Option<Complaint> {
    let Support::NotYet(what) = leaf.key.support else {
        return None;
    };
    let path = leaf.path.clone();
    let text = format!("this build has no {what}, so the key has no effect");
    Some(match notation {
        Notation::Json => Complaint::remark(path, text),
        Notation::Toml => Complaint::error(path, format!("{text}; take it out")),
    })
}
