//! Where the chain goes on: at the end of the current file, or in a new one.

use std::fs::File;
use std::io;

use rustix::fs::OFlags;

use super::batch::Batch;
use super::chain::{Link, Mac};
use super::directory::{CURRENT, finished_name};
use super::head::{self, Head};
use super::log::{self, Open};
use super::options::{AuditOptions, Sync};
use super::render::{self, Body};
use super::tail::{self, Last, Opening, Tail, Torn};
use super::{AuditError, key};

/// The file that is appended to.
pub(super) struct Current {
    pub(super) file: File,
    pub(super) device: u64,
    pub(super) inode: u64,
    /// Its length.
    pub(super) end: u64,
    pub(super) number: u64,
    /// The lowest number that its first line says is kept.
    pub(super) oldest: u64,
    pub(super) mac: Mac,
    pub(super) last: Link,
}

/// How a new file begins.
pub(super) struct Start {
    pub(super) mac: Mac,
    pub(super) number: u64,
    pub(super) oldest: u64,
    pub(super) last: Link,
}

/// What was found to be wrong at the end of the log.
#[derive(Default)]
pub(super) struct Gap {
    /// Lines that were there once.
    missing: u64,
    torn: Option<Torn>,
}

impl Gap {
    fn is_empty(&self) -> bool {
        self.missing == 0 && self.torn.is_none()
    }

    fn describe(&self, body: &mut Body) {
        body.raw("missing", self.missing);
        if let Some(torn) = &self.torn {
            body.raw("torn_bytes", torn.bytes);
            body.raw("torn_blake3", format_args!("\"{}\"", torn.digest));
            body.text("torn", &torn.text, 512);
        }
    }
}

/// Finds the end of the chain, begins a file if need be, and returns the line to write first
/// if something was wrong. Called with the log locked; `known` is the last line this process saw.
///
/// # Errors
/// A file or the key cannot be used.
pub(super) fn resume(
    open: &Open,
    options: &AuditOptions,
    host: &str,
    known: Option<Link>,
) -> Result<(Current, Option<String>), AuditError> {
    let mac = key::load_or_create(&open.directory, options.config.keyed)?;
    let found = find(open, options, host, &mac, known);
    found.map_err(|error| open.directory.error(CURRENT, error))
}

fn find(
    open: &Open,
    options: &AuditOptions,
    host: &str,
    mac: &Mac,
    known: Option<Link>,
) -> io::Result<(Current, Option<String>)> {
    let directory = &open.directory;
    let remembered = match head::read(directory, mac)? {
        Head::At(link) => known.into_iter().chain([link]).max_by_key(|link| link.seq),
        Head::Absent | Head::Invalid => known,
    };
    let finished = directory.finished()?;
    let (lowest, newest) = (finished.first().copied(), finished.last().copied());
    let number = newest.map_or(1, |number| number + 1);
    let mut oldest = None;
    let mut torn = None;
    let mut end = None;
    if let Some(file) = directory.file(CURRENT, OFlags::RDWR | OFlags::APPEND)? {
        let (opening, tail) = examine(&file, mac)?;
        oldest = opening.as_ref().map(|opening| opening.oldest);
        match (tail.last, opening) {
            (Last::At(last), Some(opening)) if opening.mac == mac.name() => {
                let (last, gap) = continued(last, remembered, tail.torn);
                return at_end(file, tail.end, opening, mac, last, &gap, host);
            }
            // Nothing in it can be kept: begun anew in place.
            (Last::Nothing, _) => torn = tail.torn,
            (last, opening) => {
                let taken = opening.as_ref().map_or(number, |opening| opening.file);
                directory.finish(taken)?;
                if let Last::At(link) = last {
                    end = Some(link);
                    if tail.torn.is_some() {
                        file.set_len(tail.end)?;
                    }
                }
                let (last, gap) = end.map_or_else(|| damaged(remembered), |end| continued(end, remembered, tail.torn));
                // Without the key, anybody can have written it: then it may not have files deleted.
                let oldest = match oldest {
                    Some(oldest) if opening.is_some_and(|opening| opening.mac == mac.name()) => oldest,
                    _ => lowest.unwrap_or(taken).min(oldest.unwrap_or(taken)),
                };
                let start = Start {
                    mac: mac.clone(),
                    number: taken + 1,
                    oldest,
                    last,
                };
                return Ok((begin(open, options, host, start, &gap)?, None));
            }
        }
    }
    if let Some(newest) = newest
        && let Some(file) = directory.file(&finished_name(newest), OFlags::RDONLY)?
    {
        let (opening, tail) = examine(&file, mac)?;
        oldest = opening.map(|opening| opening.oldest);
        if let Last::At(link) = tail.last {
            end = Some(link);
        }
    }
    // Where nothing was ever written, the chain ends at its start.
    let end = end.or(newest.is_none().then_some(Link::START));
    let (last, gap) = end.map_or_else(|| damaged(remembered), |end| continued(end, remembered, torn));
    let oldest = oldest.unwrap_or(number);
    let start = Start {
        mac: mac.clone(),
        number,
        oldest,
        last,
    };
    Ok((begin(open, options, host, start, &gap)?, None))
}

/// Reads a file's first and last line with the hash that its first line names.
fn examine(file: &File, mac: &Mac) -> io::Result<(Option<Opening>, Tail)> {
    let (opening, mac) = match tail::opening(file, mac)? {
        Some((opening, mac)) => (Some(opening), mac),
        None => (None, mac.clone()),
    };
    Ok((opening, tail::read(file, &mac)?))
}

/// The next number follows the highest one known, so that what is missing shows in the numbers.
fn continued(end: Link, remembered: Option<Link>, torn: Option<Torn>) -> (Link, Gap) {
    let seq = remembered.map_or(end.seq, |link| link.seq.max(end.seq));
    let missing = seq - end.seq;
    (Link { seq, hash: end.hash }, Gap { missing, torn })
}

/// The end of the chain cannot be read. The new file names what is remembered of it, and the
/// old one stays as it is, for whoever looks into it.
fn damaged(remembered: Option<Link>) -> (Link, Gap) {
    tracing::warn!(target: "toolgate::audit", "the end of the audit log is damaged; a new file begins. See `toolgate audit verify`");
    (remembered.unwrap_or(Link::START), Gap::default())
}

fn at_end(
    file: File,
    end: u64,
    opening: Opening,
    mac: &Mac,
    last: Link,
    gap: &Gap,
    host: &str,
) -> io::Result<(Current, Option<String>)> {
    let event = (!gap.is_empty()).then(|| {
        let mut body = render::event("resumed", host);
        gap.describe(&mut body);
        body.out
    });
    if gap.torn.is_some() {
        file.set_len(end)?;
    }
    let (device, inode) = log::identity(&file)?;
    let current = Current {
        file,
        device,
        inode,
        end,
        number: opening.file,
        oldest: opening.oldest,
        mac: mac.clone(),
        last,
    };
    Ok((current, event))
}

/// Begins the current file with a line that names its number and the hash before, and deletes
/// the files beyond the configured number.
///
/// # Errors
/// The system's. A file that was begun is empty then, and will be begun again.
pub(super) fn begin(open: &Open, options: &AuditOptions, host: &str, start: Start, gap: &Gap) -> io::Result<Current> {
    let keep = options.config.keep_files;
    let oldest = start.oldest.max((start.number + 1).saturating_sub(keep)).max(1);
    let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE;
    let file = open
        .directory
        .file(CURRENT, flags)?
        .ok_or_else(|| io::Error::other("it cannot be made"))?;
    file.set_len(0)?;
    if open.head.metadata()?.len() == 0 {
        // In front of the first line, so that a log without a head is never innocent.
        head::write(&open.head, &start.mac, Link::START)?;
    }
    let mut body = render::event("file", host);
    body.raw("version", 1);
    body.raw("file", start.number);
    body.raw("oldest", oldest);
    body.raw("mac", format_args!("\"{}\"", start.mac.name()));
    if !gap.is_empty() {
        gap.describe(&mut body);
    }
    let mut batch = Batch::after(start.last);
    batch.add(&start.mac, &body.out, false);
    let (length, outcome) = log::write_all(&file, &batch.bytes);
    let Some(written) = batch.written(length) else {
        let _ = file.set_len(0);
        return Err(outcome.err().unwrap_or_else(|| io::ErrorKind::WriteZero.into()));
    };
    head::write(&open.head, &start.mac, written.last)?;
    if options.config.sync == Sync::Each {
        file.sync_data()?;
        open.directory.sync()?;
    }
    for number in open.directory.finished()?.into_iter().filter(|number| *number < oldest) {
        if let Err(error) = open.directory.remove(&finished_name(number)) {
            tracing::warn!(target: "toolgate::audit", number, %error, "an old audit file cannot be deleted");
        }
    }
    let (device, inode) = log::identity(&file)?;
    Ok(Current {
        file,
        device,
        inode,
        end: written.bytes as u64,
        number: start.number,
        oldest,
        mac: start.mac,
        last: written.last,
    })
}
