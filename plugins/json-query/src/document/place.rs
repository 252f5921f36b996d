//! Offsets as lines and columns.

use toolgate_plugin::text::LineCounter;

/// A position in a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line.
    pub(crate) line: u64,
    /// The column, in characters.
    pub(crate) column: u64,
}

impl Place {
    /// Where the byte `offset` of a text is. What is not UTF-8 counts as one character per
    /// sequence.
    pub(crate) fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count();
        Self {
            line: 1 + LineCounter::count(&before[..start]),
            column: 1 + column as u64,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
