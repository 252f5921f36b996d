//! The head: which line was the last one. Without it, lines cut off at the end would not be missed.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use blake3::Hash;
use rustix::fs::OFlags;

use super::chain::{Link, Mac};
use super::directory::Directory;

/// Its file. It is written after the lines it speaks of, so it may be behind them, never ahead.
pub(super) const HEAD: &str = "audit.head";
/// 20 digits, two hashes of 64, two spaces and a line break.
const LENGTH: usize = 20 + 1 + 64 + 1 + 64 + 1;

/// What the file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// There is no file, or nothing in it.
    Absent,
    /// It does not hold what a writer with this key wrote.
    Invalid,
    /// The last line.
    At(Link),
}

/// Opens or makes the file for a writer.
///
/// # Errors
/// As [`Directory::file`].
pub(super) fn open(directory: &Directory) -> io::Result<File> {
    directory
        .file(HEAD, OFlags::RDWR | OFlags::CREATE)?
        .ok_or_else(|| io::Error::other("it cannot be made"))
}

/// Reads the file.
///
/// # Errors
/// The system's.
pub(super) fn read(directory: &Directory, mac: &Mac) -> io::Result<Head> {
    let Some(file) = directory.file(HEAD, OFlags::RDONLY)? else {
        return Ok(Head::Absent);
    };
    // Made by a writer that was stopped before it wrote anything.
    if file.metadata()?.len() == 0 {
        return Ok(Head::Absent);
    }
    let mut bytes = [0; LENGTH];
    match file.read_exact_at(&mut bytes, 0) {
        Ok(()) => Ok(parse(&bytes, mac).map_or(Head::Invalid, Head::At)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Head::Invalid),
        Err(error) => Err(error),
    }
}

/// Writes the file in one piece, which does not cross a page.
///
/// # Errors
/// The system's.
pub(super) fn write(file: &File, mac: &Mac, link: Link) -> io::Result<()> {
    file.write_all_at(text(mac, link).as_bytes(), 0)
}

fn parse(bytes: &[u8], mac: &Mac) -> Option<Link> {
    let line = std::str::from_utf8(bytes).ok()?;
    let mut parts = line.split(' ');
    let link = Link {
        seq: parts.next()?.parse().ok()?,
        hash: Hash::from_hex(parts.next()?).ok()?,
    };
    (text(mac, link) == line).then_some(link)
}

fn text(mac: &Mac, link: Link) -> String {
    let said = format!("{:020} {}", link.seq, link.hash.to_hex());
    // No line of the log begins so: the two cannot be taken for each other.
    let proof = mac.hash(format!("head {said}").as_bytes());
    format!("{said} {}\n", proof.to_hex())
}
