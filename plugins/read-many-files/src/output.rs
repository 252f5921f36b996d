//! The result.

use schemars::JsonSchema;
use serde::Serialize;

/// Result of `read_many_files`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// One entry for each file.
    pub files: Vec<Entry>,
    /// Present if files were left out, because of the output limit or because too many match.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// How many files were left out for the output limit; the first 1000 of them have an entry
    /// that says so.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted: u64,
    /// How many files match the pattern, if these are more than the 2000 that one call takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_matches: Option<u64>,
    /// Why no file was looked for with the pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern_error: Option<String>,
    /// Directories that could not be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_unreadable: u64,
}

/// One file, with its content or the reason why there is none.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// The file, absolute; as given if it could not be resolved.
    pub path: String,
    /// The text of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Present if `content` is only the beginning of a large file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Bytes in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<u64>,
    /// Lines in the file, if it was read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_lines: Option<u64>,
    /// `lossy` if some bytes were not valid UTF-8 and were replaced by U+FFFD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// Why the file was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

impl Entry {
    /// The entry of a file that was not read.
    pub(crate) fn skipped(path: &str, reason: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            skipped: Some(reason.into()),
            ..Self::default()
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
