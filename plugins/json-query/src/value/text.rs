//! Strings and number literals, as parts of shared buffers.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

/// A part of a shared text. The strings of a document are parts of the document itself, so that
/// parsing copies none but those with escape sequences, and allocates nothing for the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    buffer: Rc<String>,
    /// Offsets in bytes; 32 bits, so that a value takes 16 bytes where pointers have 4.
    start: u32,
    end: u32,
}

impl Text {
    /// The bytes `range` of a buffer, which must not split a character.
    pub(crate) fn part(buffer: &Rc<String>, range: Range<usize>) -> Self {
        Self {
            buffer: Rc::clone(buffer),
            start: offset(range.start),
            end: offset(range.end),
        }
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        self.buffer
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// Length in bytes.
    pub(crate) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// The buffer and where in it this text lies.
    pub(crate) fn source(&self) -> (&Rc<String>, Range<usize>) {
        (&self.buffer, self.start as usize..self.end as usize)
    }

    /// A part of this text, in the same buffer; `range` is in bytes and must not split a character.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let start = self.start as usize;
        Self::part(&self.buffer, start + range.start..start + range.end)
    }

    /// The part that `sub` is, which must be a slice of this text's own string.
    pub(crate) fn slice_of(&self, sub: &str) -> Self {
        let start = sub.as_ptr().addr() - self.as_str().as_ptr().addr();
        self.slice(start..start + sub.len())
    }

    /// Adds to the end, in place if nobody else holds the buffer.
    pub(crate) fn push_str(&mut self, more: &str) {
        let end = self.end as usize;
        match Rc::get_mut(&mut self.buffer) {
            Some(buffer) if buffer.len() == end => {
                buffer.push_str(more);
                self.end = offset(buffer.len());
            }
            _ => {
                let mut joined = String::with_capacity(self.len() + more.len());
                joined.push_str(self.as_str());
                joined.push_str(more);
                *self = Self::from(joined);
            }
        }
    }
}

/// Buffers above 4 GiB do not exist: documents and strings are limited far below.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self {
            start: 0,
            end: offset(text.len()),
            buffer: Rc::new(text),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appending_copies_only_what_is_shared() {
        let mut text = Text::from("ab");
        let before = Rc::as_ptr(&text.buffer);
        text.push_str("cd");
        assert_eq!((text.as_str(), Rc::as_ptr(&text.buffer)), ("abcd", before));
        let shared = text.slice(1..3);
        text.push_str("e");
        assert_eq!((text.as_str(), shared.as_str()), ("abcde", "bc"));
        let mut head = text.slice(0..2);
        drop(text);
        head.push_str("!");
        assert_eq!(head.as_str(), "ab!");
    }
}
