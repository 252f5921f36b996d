//! Reading a table from `tests/vectors/`.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::File;
use super::setup::Step;

/// One JSON file of vectors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table<R> {
    /// What the rows are about and how to read them.
    pub about: String,
    /// A layout that all rows share; rows of tool calls have their own.
    #[serde(default)]
    pub setup: Vec<Step>,
    /// The cases, in the order of the file.
    pub rows: Vec<R>,
    /// Cases of the same table that are not covered here, each with the reason.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
}

/// A case that is known and not covered.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The id the row would have.
    pub id: String,
    /// What it needs that this table cannot give.
    pub why: String,
}

/// Reads `tests/vectors/<name>.json` as a table of tool calls.
///
/// Panics with the file and the place when it is missing or malformed: a test without its vectors must not pass.
pub fn load(name: &str) -> File {
    load_table(name)
}

/// Reads `tests/vectors/<name>.json` as a table of rows `R`; panics as [`load`] does.
pub fn load_table<R: DeserializeOwned>(name: &str) -> Table<R> {
    load_as(name)
}

/// Reads `tests/vectors/<name>.json` as something else than one table; panics as [`load`] does.
pub fn load_as<T: DeserializeOwned>(name: &str) -> T {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("vectors")
        .join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read the vectors {}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{} is not a table of vectors: {error}", path.display()))
}
