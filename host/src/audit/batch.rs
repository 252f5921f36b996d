//! Lines that are written together.

use super::chain::{self, Link, Mac};

/// Bytes from which on a batch is written: long enough for one write per hundred calls, short
/// enough that other processes need not wait.
pub(super) const FULL: usize = 128 * 1024;

/// Sealed lines, and how far the chain and the records have come after each.
pub(super) struct Batch {
    pub(super) bytes: Vec<u8>,
    lines: Vec<Line>,
    last: Link,
    records: usize,
}

#[derive(Clone, Copy)]
struct Line {
    end: usize,
    link: Link,
    records: usize,
}

/// What part of a batch is in the file.
pub(super) struct Written {
    /// Bytes of whole lines.
    pub(super) bytes: usize,
    /// The last of them.
    pub(super) last: Link,
    /// How many of them are records.
    pub(super) records: usize,
}

impl Batch {
    /// An empty batch after a line.
    pub(super) fn after(last: Link) -> Self {
        Self {
            bytes: Vec::new(),
            lines: Vec::new(),
            last,
            records: 0,
        }
    }

    /// Adds a line, and whether it is a record.
    pub(super) fn add(&mut self, mac: &Mac, body: &str, record: bool) {
        self.last = chain::seal(
            &mut self.bytes,
            mac,
            self.last.seq.saturating_add(1),
            body,
            &self.last.hash,
        );
        self.records += usize::from(record);
        self.lines.push(Line {
            end: self.bytes.len(),
            link: self.last,
            records: self.records,
        });
    }

    /// What is in the file after `written` bytes; `None` if no line is whole.
    pub(super) fn written(&self, written: usize) -> Option<Written> {
        let whole = self.lines.iter().rev().find(|line| line.end <= written)?;
        Some(Written {
            bytes: whole.end,
            last: whole.link,
            records: whole.records,
        })
    }
}
