//! Selects records of the log.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use memchr::memmem;
use serde_json::Value;

use super::directory::Directory;
use super::verify::lines::{Lines, Next};
use super::verify::{Opened, open_all};
use super::{AuditError, json, text, time};

/// Which records are shown. What the log says of itself is shown
/// unless only some calls are asked for.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only the last ones, as many.
    pub tail: Option<usize>,
    /// Only those of this session.
    pub session: Option<String>,
    /// Only those of this tool.
    pub tool: Option<String>,
    /// Only those written at this time or later.
    pub since: Option<SystemTime>,
    /// Only calls that were refused or denied.
    pub denied: bool,
    /// Lines as they stand in the log instead of text.
    pub json: bool,
}

/// Why records cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// The log cannot be read.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The text cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Writes the records of the log in this directory, oldest first, and returns how many. Lines
/// that are no JSON are left out; [`super::verify`] finds them.
///
/// # Errors
/// The log cannot be read, or `out` not written.
pub fn show(out: &mut dyn Write, directory: &Path, filter: &Filter) -> Result<usize, ShowError> {
    let directory = Directory::open(directory)?;
    let mut files = open_all(&directory)?;
    let mut kept = VecDeque::new();
    let mut count = 0;
    let most = filter.tail.unwrap_or(usize::MAX);
    if filter.takes_all() {
        skip(&mut files, most);
    }
    for opened in &files {
        let failed = |error| directory.error(&opened.name, error);
        let mut lines = Lines::new(opened);
        loop {
            let line = match lines.next().map_err(failed)? {
                Next::End => break,
                Next::Piece(_) | Next::TooLong => continue,
                Next::Line(line) => line,
            };
            if !filter.may_match(line) {
                continue;
            }
            if filter.tail.is_none() {
                count += usize::from(filter.write(out, line)?);
            } else if filter.parse(line).is_some() {
                kept.push_back(line.to_vec());
                if kept.len() > most {
                    kept.pop_front();
                }
            }
        }
    }
    for line in kept {
        count += usize::from(filter.write(out, &line)?);
    }
    Ok(count)
}

/// Leaves out the oldest files where the others surely hold `most` lines: none is longer than the limit.
fn skip(files: &mut Vec<Opened>, most: usize) {
    let enough = (most as u64).saturating_mul(super::MAX_LINE as u64);
    let mut bytes = 0;
    let kept = files
        .iter()
        .rev()
        .take_while(|file| {
            let needed = bytes < enough;
            bytes += file.size;
            needed
        })
        .count();
    files.drain(..files.len() - kept);
}

impl Filter {
    /// Quickly, whether a line can be meant.
    fn may_match(&self, line: &[u8]) -> bool {
        [("session", &self.session), ("tool", &self.tool)]
            .into_iter()
            .all(|(name, wanted)| wanted.as_ref().is_none_or(|wanted| holds(line, name, wanted)))
            && (!self.denied || holds(line, "decision", "refused") || holds(line, "outcome", "denied"))
    }

    fn parse(&self, line: &[u8]) -> Option<Value> {
        let record: Value = serde_json::from_slice(line).ok()?;
        let is = |name: &str, wanted: &Option<String>| wanted.as_deref().is_none_or(|wanted| record[name] == wanted);
        let denied = || record["decision"] == "refused" || record["outcome"] == "denied";
        let late = |since| {
            let mut text = String::new();
            // All times of the log have one form, so that their order is that of their text.
            time::write(&mut text, since).is_ok() && record["time"].as_str().is_some_and(|time| time >= text.as_str())
        };
        let meant = is("session", &self.session)
            && is("tool", &self.tool)
            && (!self.denied || denied())
            && self.since.is_none_or(late);
        meant.then_some(record)
    }

    /// Whether every line is meant.
    fn takes_all(&self) -> bool {
        self.session.is_none() && self.tool.is_none() && self.since.is_none() && !self.denied
    }

    /// Writes a line if it is meant; whether it is.
    pub(super) fn write(&self, out: &mut dyn Write, line: &[u8]) -> io::Result<bool> {
        let Some(record) = self.parse(line) else {
            return Ok(false);
        };
        if self.json {
            out.write_all(line)?;
            writeln!(out)?;
        } else {
            text::write_record(out, &record)?;
        }
        Ok(true)
    }
}

/// Whether the line holds the member as it is written. It may stand in an argument too.
fn holds(line: &[u8], name: &str, wanted: &str) -> bool {
    let mut member = format!("\"{name}\":");
    json::string(&mut member, wanted).is_ok() && memmem::find(line, member.as_bytes()).is_some()
}
