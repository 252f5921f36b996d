//! The digest of `list_dir`: how many entries there are by type and by extension, and some of each sort.

use serde::Deserialize;

use super::DigestMeta;
use super::counts::{Counts, extension};
use super::json::{Object, array};
use super::prune::Pruned;
use super::share::Groups;
use super::survey::{Survey, select};

/// Bytes for the counts of types.
const TYPE_BYTES: usize = 200;

/// Bytes for the counts of extensions.
const EXTENSION_BYTES: usize = 800;

#[derive(Deserialize)]
struct Entry {
    name: String,
    is_dir: bool,
    #[serde(rename = "type")]
    kind: Option<String>,
    size: u64,
}

impl Entry {
    fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or(if self.is_dir { "dir" } else { "file" })
    }

    /// What the entry is counted as; directories by name would only be noise.
    fn extension(&self) -> Option<&str> {
        (!self.is_dir).then(|| extension(&self.name))
    }
}

/// The digest: `{total, …, "types":{type: count}, "extensions":{extension: count}, "entries":[{name, type, size}]}`.
pub(super) fn digest(survey: &Survey) -> Option<Pruned> {
    let entries: Vec<Entry> = survey.items()?;
    let mut object = survey.begin(entries.len());
    let types: Counts = entries.iter().map(Entry::kind).collect();
    types.write(&mut object, "types", TYPE_BYTES);
    let extensions: Counts = entries.iter().filter_map(Entry::extension).collect();
    extensions.write(&mut object, "extensions", EXTENSION_BYTES);

    let mut groups = Groups::default();
    let group_of: Vec<usize> = entries
        .iter()
        .map(|entry| groups.number((entry.kind(), entry.extension())))
        .collect();
    let texts: Vec<String> = entries.iter().map(text).collect();
    let sizes: Vec<usize> = texts.iter().map(|text| text.len() + 1).collect();
    let shown = select(&group_of, &sizes, object.len());
    object
        .count("entries_shown", shown.len())
        .json("entries", array(shown.iter().map(|at| &texts[*at])));
    Some(Pruned {
        text: object.finish(),
        meta: DigestMeta {
            arrays_collapsed: usize::from(shown.len() < entries.len()),
            ..DigestMeta::default()
        },
    })
}

fn text(entry: &Entry) -> String {
    let mut object = Object::default();
    object
        .string("name", &entry.name)
        .string("type", entry.kind())
        .number("size", entry.size);
    object.finish()
}
