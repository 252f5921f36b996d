//! Searching one file that arrives in pieces.

use std::ops::{ControlFlow, Range};

use toolgate_plugin::fs::Visit;

use crate::pattern::Matcher;

/// A line is held whole up to this size in bytes, and searched in overlapping pieces of this size
/// beyond it, so that no file can exhaust the memory of a call.
const LONG_LINE: usize = 16 * 1024 * 1024;

/// What two pieces of a longer line share. A match that is longer than this and spans two pieces
/// can be missed.
const OVERLAP: usize = 1024 * 1024;

/// A line that matches.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    /// Its number, counted from 1.
    pub(crate) line: u64,
    /// The line without its terminator, or a piece of a very long one.
    pub(crate) text: &'a [u8],
    /// Where in `text` the match is.
    pub(crate) range: Range<usize>,
    /// `text` is only a piece.
    pub(crate) partial: bool,
}

/// The search of one file.
pub(crate) struct Search<'a> {
    matcher: &'a mut Matcher,
    on_match: &'a mut dyn FnMut(Found<'_>) -> Visit,
    /// Number of the first line not searched yet.
    line: u64,
    long: Long,
}

/// Where in a very long line the search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Long {
    /// Not in one, or at the start of it.
    No,
    /// No match yet; the first byte of the buffer is not the first of the line.
    Inside,
    /// It has matched; the rest of it does not matter.
    Matched,
}

impl<'a> Search<'a> {
    pub(crate) fn new(matcher: &'a mut Matcher, on_match: &'a mut dyn FnMut(Found<'_>) -> Visit) -> Self {
        Self {
            matcher,
            on_match,
            line: 1,
            long: Long::No,
        }
    }

    /// Searches a file of which `buffer` is the beginning, or all if `complete`; `read` gives the
    /// bytes at an offset and whether they are the last.
    pub(crate) fn run<E>(
        &mut self,
        mut buffer: Vec<u8>,
        complete: bool,
        mut read: impl FnMut(u64) -> Result<(Vec<u8>, bool), E>,
    ) -> Result<Visit, E> {
        let mut offset = buffer.len() as u64;
        let mut end = complete;
        let mut looked_at = 0;
        loop {
            let last = memchr::memrchr(b'\n', &buffer[looked_at..]);
            let whole = if end {
                buffer.len()
            } else {
                last.map_or(0, |at| looked_at + at + 1)
            };
            if self.lines(&buffer[..whole], end).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if end {
                return Ok(ControlFlow::Continue(()));
            }
            buffer.drain(..whole);
            if buffer.len() >= LONG_LINE && self.piece(&mut buffer).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            looked_at = buffer.len();
            let (bytes, is_last) = read(offset)?;
            offset += bytes.len() as u64;
            end = is_last;
            buffer.extend_from_slice(&bytes);
        }
    }

    /// Searches lines that are complete. The last may lack its terminator at the end of the file,
    /// after which no line is numbered any more.
    fn lines(&mut self, block: &[u8], at_end: bool) -> Visit {
        let mut at = 0;
        if self.long != Long::No && !block.is_empty() {
            at = self.rest_of_long_line(block)?;
        }
        let mut counted = at;
        while at < block.len() {
            let Some(candidate) = self.matcher.candidate(block, at) else {
                break;
            };
            let (start, end) = line_around(block, candidate);
            if start == block.len() {
                break;
            }
            let text = without_cr(&block[start..end]);
            let lines = memchr::memchr_iter(b'\n', &block[counted..start]).count();
            (self.line, counted) = (self.line + lines as u64, start);
            if let Some(range) = self.matcher.find(text, 0, text.len()) {
                (self.on_match)(Found {
                    line: self.line,
                    text,
                    range,
                    partial: false,
                })?;
            }
            at = end + 1;
        }
        if !at_end {
            self.line += memchr::memchr_iter(b'\n', &block[counted..]).count() as u64;
        }
        ControlFlow::Continue(())
    }

    /// Searches a part of a line that is too long to be held, and lets go of most of it.
    fn piece(&mut self, buffer: &mut Vec<u8>) -> Visit {
        // The last byte is only looked at, so that no assertion takes it for the end of the line.
        let visit = self.search_piece(buffer, buffer.len() - 1);
        buffer.drain(..buffer.len() - OVERLAP);
        if self.long == Long::No {
            self.long = Long::Inside;
        }
        visit
    }

    /// Searches the end of a very long line; gives where the next line starts.
    fn rest_of_long_line(&mut self, block: &[u8]) -> ControlFlow<(), usize> {
        let (_, end) = line_around(block, 0);
        let text = without_cr(&block[..end]);
        self.search_piece(text, text.len())?;
        self.long = Long::No;
        if end < block.len() {
            self.line += 1;
        }
        ControlFlow::Continue(block.len().min(end + 1))
    }

    fn search_piece(&mut self, text: &[u8], end: usize) -> Visit {
        let start = match self.long {
            Long::Matched => return ControlFlow::Continue(()),
            Long::Inside => 1,
            Long::No => 0,
        };
        match self.matcher.find(text, start, end) {
            Some(range) => {
                self.long = Long::Matched;
                (self.on_match)(Found {
                    line: self.line,
                    text,
                    range,
                    partial: true,
                })
            }
            None => ControlFlow::Continue(()),
        }
    }
}

/// Start and end, without terminator, of the line that holds a position.
fn line_around(block: &[u8], position: usize) -> (usize, usize) {
    let start = memchr::memrchr(b'\n', &block[..position]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &block[position..]).map_or(block.len(), |at| position + at);
    (start, end)
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
