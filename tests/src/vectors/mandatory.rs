//! Rows of `path-mandatory.json` and `path-spellings.json`.

use serde::Deserialize;

/// Paths that a class of mandatory denies keeps, and paths that none does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MandatoryRow {
    /// Unique within the file.
    pub id: String,
    /// Why, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// The class by its name in `path_scope.lift`.
    pub class: String,
    /// Whether reading is refused as well.
    pub hides: bool,
    /// The scope root; `$W` when absent. Created if missing.
    #[serde(default)]
    pub root: Option<String>,
    /// The paths are absolute and lie outside the root.
    #[serde(default)]
    pub outside: bool,
    /// Directories of the host itself.
    #[serde(default)]
    pub own: Vec<String>,
    /// Paths of the class, relative to the root unless `outside`.
    pub kept: Vec<String>,
    /// Paths of no class.
    pub open: Vec<String>,
}

/// Spellings that are one name where a directory folds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpellingRow {
    /// Unique within the file.
    pub id: String,
    /// What the row is about.
    pub note: String,
    /// Spellings of one name.
    pub one: Vec<String>,
    /// Names that are another one each.
    pub other: Vec<String>,
}
