//! Rows of `truncate.json`: cutting a text to a size.

use serde::Deserialize;

/// One case of the function that cuts a text to `max_bytes` and `max_lines`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TruncateRow {
    /// Unique within the file.
    pub id: String,
    /// The text to cut.
    pub input: VectorText,
    /// Most bytes to keep; 0 is unlimited.
    pub max_bytes: u64,
    /// Most lines to keep; 0 is unlimited.
    pub max_lines: u64,
    /// What is kept.
    pub kept: VectorText,
    /// Whether anything was dropped.
    pub truncated: bool,
    /// Size of the input in bytes.
    pub original_bytes: u64,
    /// Lines of the input: line feeds, plus one if the last byte is none.
    pub original_lines: u64,
}

/// A text, written out or as a repetition.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum VectorText {
    /// As written.
    Plain(String),
    /// A text and how often it is repeated.
    Repeat {
        /// Both.
        repeat: (String, usize),
    },
}

impl VectorText {
    /// The text in full.
    pub fn text(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Repeat { repeat: (text, times) } => text.repeat(*times),
        }
    }
}
