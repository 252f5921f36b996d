//! The files, for the one who writes: lock, look whether somebody else wrote, append, rotate.

use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use super::batch::{Batch, FULL};
use super::chain::Link;
use super::directory::{CURRENT, Directory};
use super::lock::Lock;
use super::options::{AuditOptions, Sync};
use super::resume::{self, Current};
use super::{AuditError, head};

/// The log as one process sees it.
pub(super) struct Log {
    options: AuditOptions,
    host: String,
    open: Option<Arc<Open>>,
    /// The file as it was left; looked at again when it is not so any more.
    current: Option<Current>,
    /// The last line that this process knows of.
    known: Option<Link>,
}

/// What stays open.
pub(super) struct Open {
    pub(super) directory: Directory,
    pub(super) head: std::fs::File,
    lock: Lock,
}

/// How far an append came.
pub(super) struct Appended {
    /// Records in the file, from the first one given.
    pub(super) records: usize,
    /// Why not all of them are, or not safely.
    pub(super) outcome: Result<(), AuditError>,
}

impl Log {
    pub(super) fn new(options: AuditOptions, host: String) -> Self {
        Self {
            options,
            host,
            open: None,
            current: None,
            known: None,
        }
    }

    /// Appends lines with these bodies. With none, the file is opened and nothing else.
    pub(super) fn append<'a>(&mut self, bodies: impl Iterator<Item = &'a str>) -> Appended {
        let mut records = 0;
        let outcome = self.append_counted(bodies, &mut records);
        Appended { records, outcome }
    }

    fn append_counted<'a>(
        &mut self,
        bodies: impl Iterator<Item = &'a str>,
        done: &mut usize,
    ) -> Result<(), AuditError> {
        let open = self.open()?;
        let _guard = open.lock.exclusive(&open.directory)?;
        let failed = |error: io::Error| open.directory.error(CURRENT, error);
        // Kept only if all goes well: after a failure everything is looked at again.
        let (mut current, event) = match self.current.take() {
            Some(current) if unchanged(&open, &current).map_err(failed)? => (current, None),
            _ => resume::resume(&open, &self.options, &self.host, self.known)?,
        };
        let mut batch = Batch::after(current.last);
        let most = self.options.config.max_file_bytes;
        for (body, record) in event
            .iter()
            .map(|event| (event.as_str(), false))
            .chain(bodies.map(|body| (body, true)))
        {
            let room = current.end + (batch.bytes.len() + body.len() + 256) as u64 <= most;
            if !room || batch.bytes.len() > FULL {
                self.flush(&open, &mut current, batch, done)?;
                if !room {
                    current = self.rotate(&open, &current).map_err(failed)?;
                }
                batch = Batch::after(current.last);
            }
            batch.add(&current.mac, body, record);
        }
        self.flush(&open, &mut current, batch, done)?;
        self.known = Some(current.last);
        self.current = Some(current);
        Ok(())
    }

    fn open(&mut self) -> Result<Arc<Open>, AuditError> {
        if let Some(open) = &self.open {
            return Ok(Arc::clone(open));
        }
        let directory = Directory::create(&self.options.directory)?;
        let lock = Lock::open(&directory)?;
        let head = head::open(&directory).map_err(|error| directory.error(head::HEAD, error))?;
        let open = Arc::new(Open { directory, head, lock });
        self.open = Some(Arc::clone(&open));
        Ok(open)
    }

    /// Writes a batch. What of it is whole counts as written even if the rest failed.
    fn flush(&mut self, open: &Open, current: &mut Current, batch: Batch, done: &mut usize) -> Result<(), AuditError> {
        if batch.bytes.is_empty() {
            return Ok(());
        }
        let (length, outcome) = write_all(&current.file, &batch.bytes);
        let written = batch.written(length);
        let whole = written.as_ref().map_or(0, |written| written.bytes);
        if whole < length {
            // If this fails too, the next writer finds the piece and says so.
            let _ = current.file.set_len(current.end + whole as u64);
        }
        if let Some(written) = written {
            current.end += whole as u64;
            current.last = written.last;
            self.known = Some(written.last);
            *done += written.records;
            if let Err(error) = head::write(&open.head, &current.mac, current.last) {
                tracing::debug!(target: "toolgate::audit", %error, "the head of the audit log stays behind");
            }
        }
        let synced = match self.options.config.sync {
            Sync::Each if outcome.is_ok() => current.file.sync_data(),
            _ => Ok(()),
        };
        outcome
            .and(synced)
            .map_err(|error| open.directory.error(CURRENT, error))
    }

    /// Ends the current file and begins the next.
    fn rotate(&self, open: &Open, current: &Current) -> io::Result<Current> {
        open.directory.finish(current.number)?;
        let start = resume::Start {
            mac: current.mac.clone(),
            number: current.number + 1,
            oldest: current.oldest,
            last: current.last,
        };
        resume::begin(open, &self.options, &self.host, start, &resume::Gap::default())
    }
}

/// Whether the file is the one we left, as we left it.
fn unchanged(open: &Open, current: &Current) -> io::Result<bool> {
    Ok(open.directory.stat(CURRENT)?.is_some_and(|stat| {
        stat.st_dev == current.device && stat.st_ino == current.inode && u64::try_from(stat.st_size) == Ok(current.end)
    }))
}

/// Device and inode, which tell files apart.
pub(super) fn identity(file: &std::fs::File) -> io::Result<(u64, u64)> {
    let metadata = file.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Writes, and says how many bytes are in the file whatever happened.
pub(super) fn write_all(mut file: &std::fs::File, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut written = 0;
    while written < bytes.len() {
        match file.write(&bytes[written..]) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(more) => written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
}
