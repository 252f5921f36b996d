//! From a path to searched files.

use std::cell::LazyCell;
use std::ops::ControlFlow;

use toolgate_plugin::fs::{CHUNK, ErrorCode, GrantedPath, Kind, Visit, Visited, Visitor, Walk};
use toolgate_plugin::{Caps, Error, text};

use crate::Output;
use crate::collect::Collector;
use crate::pattern::Matcher;
use crate::search::{Found, Search};

/// The first read of each file in bytes. Most files are smaller, and so take a single read.
const FIRST: usize = CHUNK;

/// Searches a directory tree or a single file.
pub(crate) fn run(path: &GrantedPath<'_>, matcher: Matcher, caps: Caps) -> Result<Output, Error> {
    match path.metadata()? {
        None => Err(Error::not_found(format!(
            "{}: not found: it does not exist",
            path.display()
        ))),
        Some(metadata) if metadata.kind == Kind::Directory => directory(path, matcher, caps),
        Some(_) => file(path, matcher, caps),
    }
}

/// Everything below a directory. What cannot be read or is binary is counted, not an error.
fn directory(path: &GrantedPath<'_>, matcher: Matcher, caps: Caps) -> Result<Output, Error> {
    let mut scan = Scan {
        root: path.display().trim_end_matches('/'),
        matcher,
        collector: Collector::new(caps),
        binary: 0,
        unreadable: 0,
    };
    let summary = Walk::default().run_with(path.open_directory()?, &mut scan)?;
    scan.collector.end_part();
    let truncated = scan.collector.is_truncated() || summary.out_of_budget;
    // Of a search that ended early, the counters would say how far it came, and no more.
    let counted = |count| if truncated { 0 } else { count };
    Ok(Output {
        truncated,
        skipped_binary: counted(scan.binary),
        skipped_unreadable: counted(scan.unreadable + summary.unreadable),
        matches: scan.collector.into_matches(),
    })
}

/// The search of a tree, part by part.
struct Scan<'a> {
    root: &'a str,
    matcher: Matcher,
    collector: Collector,
    binary: u64,
    unreadable: u64,
}

impl Visitor for Scan<'_> {
    fn part(&mut self, path: &str) -> bool {
        self.collector.end_part();
        path.is_empty() || !self.collector.is_beyond(&format!("{}/{path}", self.root))
    }

    fn entry(&mut self, visited: &Visited<'_>) -> Visit {
        if visited.entry.kind != Kind::File {
            return ControlFlow::Continue(());
        }
        match entry(visited, self.root, &mut self.matcher, &mut self.collector) {
            Ok(Outcome::Searched(visit)) => return visit,
            Ok(Outcome::Binary) => self.binary += 1,
            // It has vanished, or the call may not see it.
            Err(ErrorCode::NoEntry) => {}
            Err(_) => self.unreadable += 1,
        }
        ControlFlow::Continue(())
    }
}

enum Outcome {
    Searched(Visit),
    Binary,
}

fn entry(
    visited: &Visited<'_>,
    root: &str,
    matcher: &mut Matcher,
    collector: &mut Collector,
) -> Result<Outcome, ErrorCode> {
    let mut opened = visited.open(FIRST)?;
    let head = std::mem::take(&mut opened.head);
    if text::is_binary(&head) {
        return Ok(Outcome::Binary);
    }
    let path = LazyCell::new(|| format!("{root}/{}", visited.relative_path()));
    let mut on_match = |found: Found<'_>| collector.add(&path, found.line, found.text, found.range, found.partial);
    let mut search = Search::new(matcher, &mut on_match);
    let complete = opened.complete;
    search
        .run(head, complete, |offset| opened.read_at(offset, CHUNK))
        .map(Outcome::Searched)
}

/// A single file, where everything that goes wrong is an error.
fn file(path: &GrantedPath<'_>, mut matcher: Matcher, caps: Caps) -> Result<Output, Error> {
    let file = path.open_file()?;
    let (head, complete) = file.read_at(0, FIRST)?;
    if text::is_binary(&head) {
        return Err(Error::failed(format!(
            "{}: it is a binary file of {} bytes, not text",
            file.path(),
            file.size()
        )));
    }
    let mut collector = Collector::new(caps);
    let mut on_match =
        |found: Found<'_>| collector.add(path.display(), found.line, found.text, found.range, found.partial);
    let _: Visit =
        Search::new(&mut matcher, &mut on_match).run(head, complete, |offset| file.read_at(offset, CHUNK))?;
    Ok(Output {
        truncated: collector.is_truncated(),
        matches: collector.into_matches(),
        ..Output::default()
    })
}
