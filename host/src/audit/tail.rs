//! The end of a file that somebody else may have written.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use blake3::Hash;
use serde::Deserialize;

use super::chain::{self, Link, Mac};
use super::directory::MAX_NUMBER;
use super::render::MAX_LINE;

/// What stands at the end of a file.
pub(super) struct Tail {
    /// The last whole line.
    pub(super) last: Last,
    /// Where the whole lines end.
    pub(super) end: u64,
    /// What follows them: a line whose writer did not finish.
    pub(super) torn: Option<Torn>,
}

/// The last whole line of a file.
pub(super) enum Last {
    /// There is none.
    Nothing,
    /// It is what a writer with this key wrote.
    At(Link),
    /// It is not.
    Damaged,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Torn {
    pub(super) bytes: u64,
    pub(super) digest: Hash,
    /// Its beginning, at most 512 bytes.
    pub(super) text: String,
}

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Opening {
    /// The number of the file, from 1.
    pub(super) file: u64,
    /// The lowest number that was kept when this file began.
    pub(super) oldest: u64,
    /// How its lines are hashed.
    pub(super) mac: String,
}

/// Reads the end of a file.
///
/// # Errors
/// The system's.
pub(super) fn read(file: &File, mac: &Mac) -> io::Result<Tail> {
    let size = file.metadata()?.len();
    let end = match before(file, size)? {
        Some(at) => at + 1,
        None => 0,
    };
    let torn = if end < size { Some(torn(file, end, size)?) } else { None };
    let last = if end == 0 {
        Last::Nothing
    } else {
        let start = before(file, end - 1)?.map_or(0, |at| at + 1);
        line(file, start, end - 1)?
            .and_then(|line| chain::unseal(mac, &line).map(|sealed| Last::At(sealed.link)))
            .unwrap_or(Last::Damaged)
    };
    Ok(Tail { last, end, torn })
}

/// The first line, if it is one, and how its file's lines are hashed: with `mac`, or without a
/// key where it says so. A line that was changed counts as none, so that nobody can have files
/// deleted by what they write into it.
///
/// # Errors
/// The system's.
pub(super) fn opening(file: &File, mac: &Mac) -> io::Result<Option<(Opening, Mac)>> {
    let mut bytes = vec![0; MAX_LINE + 1];
    let mut length = 0;
    while length < bytes.len() {
        match file.read_at(&mut bytes[length..], length as u64)? {
            0 => break,
            read => length += read,
        }
        if let Some(end) = memchr::memchr(b'\n', &bytes[..length]) {
            return Ok(proven(&bytes[..end], mac));
        }
    }
    Ok(None)
}

fn proven(line: &[u8], mac: &Mac) -> Option<(Opening, Mac)> {
    let opening = parse_opening(line)?;
    let plain = opening.mac == Mac::Plain.name();
    let mac = if plain { Mac::Plain } else { mac.clone() };
    chain::unseal(&mac, line).is_some().then_some((opening, mac))
}

/// The first line of a file, believed.
pub(super) fn parse_opening(line: &[u8]) -> Option<Opening> {
    chain::read(line).filter(|sealed| sealed.event == Some("file"))?;
    let opening: Opening = serde_json::from_slice(line).ok()?;
    (opening.file <= MAX_NUMBER && opening.oldest <= opening.file).then_some(opening)
}

/// Where the last line break before `end` stands.
fn before(file: &File, end: u64) -> io::Result<Option<u64>> {
    const PIECE: u64 = 4096;
    let mut buffer = [0; PIECE as usize];
    let mut end = end;
    while end > 0 {
        let start = end.saturating_sub(PIECE);
        let length = usize::try_from(end - start).unwrap_or(buffer.len());
        let piece = &mut buffer[..length];
        file.read_exact_at(piece, start)?;
        if let Some(at) = memchr::memrchr(b'\n', piece) {
            return Ok(Some(start + at as u64));
        }
        end = start;
    }
    Ok(None)
}

/// The line between two places, if it is not longer than lines are.
fn line(file: &File, start: u64, end: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(length) = usize::try_from(end - start).ok().filter(|length| *length < MAX_LINE) else {
        return Ok(None);
    };
    let mut line = vec![0; length];
    file.read_exact_at(&mut line, start)?;
    Ok(Some(line))
}

fn torn(file: &File, start: u64, end: u64) -> io::Result<Torn> {
    let mut hasher = blake3::Hasher::new();
    let mut text = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut at = start;
    while at < end {
        let length = usize::try_from(end - at).unwrap_or(buffer.len()).min(buffer.len());
        file.read_exact_at(&mut buffer[..length], at)?;
        hasher.update(&buffer[..length]);
        let missing = 512_usize.saturating_sub(text.len());
        text.extend_from_slice(&buffer[..length.min(missing)]);
        at += length as u64;
    }
    Ok(Torn {
        bytes: end - start,
        digest: hasher.finalize(),
        text: String::from_utf8_lossy(&text).into_owned(),
    })
}
