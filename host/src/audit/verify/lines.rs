//! The lines of a file, each of bounded length.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take};

use super::Opened;
use crate::audit::render::MAX_LINE;

/// Reads line by line up to where the file ended when it was opened.
pub(in crate::audit) struct Lines<'a> {
    reader: Take<BufReader<&'a File>>,
    line: Vec<u8>,
}

/// What comes next.
pub(in crate::audit) enum Next<'a> {
    /// A line, without its line break.
    Line(&'a [u8]),
    /// A last piece without a line break.
    Piece(usize),
    /// More bytes without a line break than a line has.
    TooLong,
    /// The file ends.
    End,
}

impl<'a> Lines<'a> {
    pub(in crate::audit) fn new(opened: &'a Opened) -> Self {
        Self {
            reader: BufReader::with_capacity(256 * 1024, &opened.file).take(opened.size),
            line: Vec::new(),
        }
    }

    /// # Errors
    /// The system's.
    pub(in crate::audit) fn next(&mut self) -> io::Result<Next<'_>> {
        self.line.clear();
        let read = self
            .reader
            .by_ref()
            .take(MAX_LINE as u64)
            .read_until(b'\n', &mut self.line)?;
        Ok(match self.line.strip_suffix(b"\n") {
            Some(line) => Next::Line(line),
            None if read == 0 => Next::End,
            None if read == MAX_LINE => Next::TooLong,
            None => Next::Piece(read),
        })
    }
}
