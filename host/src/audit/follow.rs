//! Shows records as they are written.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use super::directory::Directory;
use super::log::identity;
use super::show::{Filter, ShowError, show};
use super::verify::lines::{Lines, Next};
use super::verify::{Opened, open_all};

/// Time between two looks at the log.
const PAUSE: Duration = Duration::from_millis(200);

/// A place in the log: a file, by device and inode, and how much of it was read.
#[derive(Default)]
struct Place {
    file: Option<(u64, u64)>,
    offset: u64,
}

/// As [`show`], and then goes on with what is written, also into new files, while `go_on` says so.
/// A record that was written but not shown when its file was deleted is skipped.
///
/// # Errors
/// As [`show`].
pub fn follow(
    out: &mut dyn Write,
    directory: &Path,
    filter: &Filter,
    mut go_on: impl FnMut() -> bool,
) -> Result<(), ShowError> {
    let opened = Directory::open(directory)?;
    let mut place = Place::default();
    // What is written between the two is shown twice rather than not at all.
    place.skip(&opened)?;
    show(out, directory, filter)?;
    out.flush()?;
    while go_on() {
        if !place.advance(out, &opened, filter)? {
            std::thread::sleep(PAUSE);
        }
        out.flush()?;
    }
    Ok(())
}

impl Place {
    /// To the end of the log.
    fn skip(&mut self, directory: &Directory) -> Result<(), ShowError> {
        if let Some(last) = open_all(directory)?.last() {
            self.file = Some(identity(&last.file)?);
            self.offset = last.size;
        }
        Ok(())
    }

    /// Shows what is new, and whether there was anything.
    fn advance(&mut self, out: &mut dyn Write, directory: &Directory, filter: &Filter) -> Result<bool, ShowError> {
        let mut before = self.offset;
        let mut files = Vec::new();
        for opened in open_all(directory)? {
            files.push((identity(&opened.file)?, opened));
        }
        let known = files.iter().position(|(file, _)| Some(*file) == self.file);
        let mut moved = false;
        for (file, opened) in files.into_iter().skip(known.unwrap_or(0)) {
            if Some(file) != self.file {
                (self.file, self.offset, before) = (Some(file), 0, 0);
            }
            self.read(out, opened, filter)?;
            moved |= self.offset != before;
        }
        Ok(moved)
    }

    /// Shows the whole lines behind the place in this file.
    fn read(&mut self, out: &mut dyn Write, mut opened: Opened, filter: &Filter) -> Result<(), ShowError> {
        if opened.size <= self.offset {
            return Ok(());
        }
        opened.file.seek(SeekFrom::Start(self.offset))?;
        opened.size -= self.offset;
        let mut lines = Lines::new(&opened);
        loop {
            match lines.next()? {
                Next::End | Next::Piece(_) => return Ok(()),
                Next::TooLong => self.offset += super::MAX_LINE as u64,
                Next::Line(line) => {
                    self.offset += line.len() as u64 + 1;
                    filter.write(out, line)?;
                }
            }
        }
    }
}
