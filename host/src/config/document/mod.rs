//! A file's text as a value and the line of each part of it. Called by `layer` only.
//! It knows two notations and no key.
//! Must not touch: the file system, the schema.

mod json;
mod toml;
pub(super) mod yaml;

use std::collections::BTreeMap;

use serde_json::Value;

use super::key_path::KeyPath;

/// What a text says.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) value: Value,
    lines: BTreeMap<KeyPath, usize>,
}

/// Why a text says nothing: what is wrong, and the line if known.
#[derive(Debug)]
pub(super) struct SyntaxError {
    pub(super) line: Option<usize>,
    pub(super) reason: String,
}

/// The notation of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// JSON: what core-agent reads too, so it may hold keys that are not ours.
    Json,
    /// TOML: ours alone.
    Toml,
}

impl Document {
    /// Reads a text. A byte order mark at its start is passed over.
    pub(super) fn parse(text: &str, notation: Notation) -> Result<Self, Vec<SyntaxError>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match notation {
            Notation::Json => json::parse(text),
            Notation::Toml => toml::parse(text),
        }
    }

    /// The line on which a value, or the nearest thing around it, is written.
    pub(super) fn line(&self, path: &KeyPath) -> Option<usize> {
        let mut path = path.clone();
        loop {
            if let Some(line) = self.lines.get(&path) {
                return Some(*line);
            }
            path = path.parent()?;
        }
    }
}

/// Finds the line of each offset, for offsets that do not fall.
#[derive(Debug)]
struct LineCounter<'a> {
    text: &'a [u8],
    offset: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            offset: 0,
            line: 1,
        }
    }

    fn line(&mut self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        if offset < self.offset {
            (self.offset, self.line) = (0, 1);
        }
        let passed = &self.text[self.offset..offset];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.offset = offset;
        self.line
    }
}
