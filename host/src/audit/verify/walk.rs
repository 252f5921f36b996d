//! Follows the chain from the oldest line to the newest.

use std::io;

use serde::Deserialize;

use super::Opened;
use super::lines::{Lines, Next};
use super::report::{Fault, FaultKind, FileReport, LossKind, Report};
use crate::audit::chain::{self, Link, Mac, Sealed};
use crate::audit::directory::{CURRENT, Directory, finished_name};
use crate::audit::head::{HEAD, Head};
use crate::audit::tail::{self, Opening};

/// How far the walk has come.
pub(super) struct Walk<'a> {
    key: Option<&'a Mac>,
    head: Head,
    report: Report,
    /// The last line that was right.
    last: Option<Link>,
    /// The number of the last file.
    number: Option<u64>,
    /// The lowest number of a file that was there, and the one that should be, by the newest file.
    first: u64,
    oldest: u64,
    /// Whether a file with a key came already.
    keyed: bool,
}

/// What a line may say about the log.
#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    missing: u64,
    torn_bytes: Option<u64>,
    #[serde(default)]
    count: u64,
    #[serde(default)]
    reason: String,
}

type Found = (FaultKind, String);

impl<'a> Walk<'a> {
    pub(super) fn new(key: Option<&'a Mac>, head: Head) -> Self {
        Self {
            key,
            head,
            report: Report::default(),
            last: None,
            number: None,
            first: 0,
            oldest: 0,
            keyed: false,
        }
    }

    /// Checks a file. `false` if the walk ends here.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn file(&mut self, opened: &Opened) -> io::Result<bool> {
        self.report.files.push(FileReport {
            name: opened.name.clone(),
            number: None,
            lines: 0,
            bytes: opened.size,
        });
        let mut lines = Lines::new(opened);
        let mut mac = None;
        for number in 1.. {
            let found = match lines.next()? {
                Next::End => break,
                Next::Piece(bytes) if opened.number.is_none() => {
                    let detail = "at the end; the next writer will mark it".to_owned();
                    self.report.lose(LossKind::TornTail, number, bytes as u64, detail);
                    break;
                }
                Next::Piece(_) => Err((FaultKind::ChangedLine, "it does not end".to_owned())),
                Next::TooLong => Err((FaultKind::ChangedLine, "it is longer than any line".to_owned())),
                Next::Line(line) => self.line(opened, &mut mac, number, line),
            };
            if let Err(found) = found {
                return Ok(self.fail(found, number));
            }
        }
        Ok(true)
    }

    /// Checks what is known when all files were read.
    pub(super) fn finish(mut self, directory: &Directory) -> Report {
        self.report.keyed = self.keyed && self.report.lines > 0;
        if self.report.fault.is_some() {
            return self.report;
        }
        let at = |seq: u64| {
            format!(
                "{} says that line {seq} of the log was the last",
                directory.at(HEAD).display()
            )
        };
        let last = self.last.map_or(0, |link| link.seq);
        let found = match self.head {
            _ if self.first > self.oldest => Some((
                FaultKind::MissingFile,
                format!("{} should be there, and is not", finished_name(self.oldest)),
            )),
            _ if self.key.is_some() && !self.keyed && last > 0 => Some((
                FaultKind::OtherKey,
                "there is a key, and the newest file was made without one".to_owned(),
            )),
            Head::Absent if last > 0 => Some((FaultKind::Head, format!("{HEAD} is missing"))),
            Head::Invalid => Some((FaultKind::Head, format!("{HEAD} is not what was written"))),
            Head::At(link) if link.seq > last => Some((
                FaultKind::MissingLines,
                format!("{}, and the files end with {last}", at(link.seq)),
            )),
            _ => None,
        };
        if let Some(found) = found {
            let end = self.report.files.last().map_or(0, |file| file.lines + 1);
            self.fail(found, end);
        }
        self.report
    }

    fn fail(&mut self, (kind, detail): Found, line: u64) -> bool {
        let file = self.report.files.last().map_or(CURRENT, |file| &file.name).to_owned();
        self.report.fault = Some(Fault {
            kind,
            file,
            line,
            detail,
        });
        false
    }

    fn line(&mut self, opened: &Opened, mac: &mut Option<Mac>, number: u64, line: &[u8]) -> Result<(), Found> {
        let opening = match mac {
            Some(_) => None,
            None => Some(
                tail::parse_opening(line)
                    .ok_or_else(|| (FaultKind::ForeignFile, "it is not the first line of a file".to_owned()))?,
            ),
        };
        if let Some(opening) = &opening {
            *mac = Some(self.mac(opening)?);
        }
        let sealed = mac
            .as_ref()
            .and_then(|mac| chain::unseal(mac, line))
            .ok_or_else(|| (FaultKind::ChangedLine, "its hash is not that of its text".to_owned()))?;
        let event: Option<Event> = match sealed.event {
            Some(_) => Some(serde_json::from_slice(line).map_err(|error| (FaultKind::ChangedLine, error.to_string()))?),
            None => None,
        };
        if let Some(opening) = opening {
            self.begin(opened, &opening)?;
        } else if sealed.event == Some("file") {
            return Err((
                FaultKind::BrokenChain,
                "it is the first line of another file".to_owned(),
            ));
        }
        self.follow(&sealed, event.as_ref().map_or(0, |event| event.missing))?;
        self.count(&sealed, event, number);
        Ok(())
    }

    /// The hash of a file's lines.
    fn mac(&mut self, opening: &Opening) -> Result<Mac, Found> {
        let wrong = |detail: String| Err((FaultKind::OtherKey, detail));
        match self.key {
            Some(key) if key.name() == opening.mac => {
                self.keyed = true;
                Ok(key.clone())
            }
            _ if opening.mac != Mac::Plain.name() => {
                wrong(format!("it was made with {}, which is not there", opening.mac))
            }
            _ if self.keyed => wrong("it was made without a key, and the one before with one".to_owned()),
            _ => Ok(Mac::Plain),
        }
    }

    fn begin(&mut self, opened: &Opened, opening: &Opening) -> Result<(), Found> {
        if opened.number.is_some_and(|number| number != opening.file) {
            return Err((
                FaultKind::ForeignFile,
                format!("its first line says that it is file {}", opening.file),
            ));
        }
        match self.number {
            Some(before) if opening.file != before + 1 => {
                let detail = format!("it is file {}, and the one before is file {before}", opening.file);
                return Err((FaultKind::MissingFile, detail));
            }
            Some(_) => {}
            None => self.first = opening.file,
        }
        self.number = Some(opening.file);
        self.oldest = opening.oldest;
        if let Some(file) = self.report.files.last_mut() {
            file.number = Some(opening.file);
        }
        Ok(())
    }

    /// Whether a line belongs behind the last one.
    fn follow(&self, sealed: &Sealed<'_>, missing: u64) -> Result<(), Found> {
        let seq = sealed.link.seq;
        let last = match self.last {
            Some(last) => last,
            None if self.first <= 1 => Link::START,
            // What came before this file was deleted in its time.
            None => return self.named_by_head(sealed),
        };
        let expected = last.seq.saturating_add(1).saturating_add(missing);
        if seq > expected {
            let gone = seq - expected;
            return Err((
                FaultKind::MissingLines,
                format!(
                    "{gone} lines are missing before it: it has number {seq} and follows {}",
                    last.seq
                ),
            ));
        }
        if seq < expected {
            return Err((
                FaultKind::BrokenChain,
                format!("it has number {seq} and stands behind {}", last.seq),
            ));
        }
        if sealed.prev != last.hash {
            return Err((
                FaultKind::BrokenChain,
                "it names another line than the one before it".to_owned(),
            ));
        }
        self.named_by_head(sealed)
    }

    fn named_by_head(&self, sealed: &Sealed<'_>) -> Result<(), Found> {
        match self.head {
            Head::At(link) if link.seq == sealed.link.seq && link.hash != sealed.link.hash => Err((
                FaultKind::BrokenChain,
                format!("{HEAD} names another line of this number"),
            )),
            _ => Ok(()),
        }
    }

    fn count(&mut self, sealed: &Sealed<'_>, event: Option<Event>, number: u64) {
        self.last = Some(sealed.link);
        self.report.lines += 1;
        self.report.records += u64::from(event.is_none());
        if let Some(file) = self.report.files.last_mut() {
            file.lines += 1;
        }
        let Some(event) = event else {
            return;
        };
        if let Some(bytes) = event.torn_bytes {
            self.report
                .lose(LossKind::TornTail, number, bytes, "a writer was stopped".to_owned());
        }
        if event.missing > 0 {
            self.report
                .lose(LossKind::MissingLines, number, event.missing, String::new());
        }
        if sealed.event == Some("lost") {
            self.report
                .lose(LossKind::LostRecords, number, event.count, event.reason);
        }
    }
}
