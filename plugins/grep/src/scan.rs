//! From a path to searched files.

use std::cell::LazyCell;
use std::ops::ControlFlow;

use toolgate_plugin::fs::{CHUNK, ErrorCode, GrantedPath, Kind, Visit, Visited, Walk};
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
fn directory(path: &GrantedPath<'_>, mut matcher: Matcher, caps: Caps) -> Result<Output, Error> {
    let root = path.display().trim_end_matches('/');
    let mut collector = Collector::new(caps);
    let mut output = Output::default();
    let summary = Walk::default().run(path.open_directory()?, |visited| {
        if visited.entry.kind != Kind::File {
            return ControlFlow::Continue(());
        }
        match entry(visited, root, &mut matcher, &mut collector) {
            Ok(Outcome::Searched(visit)) => return visit,
            Ok(Outcome::Binary) => output.skipped_binary += 1,
            // It has vanished, or the call may not see it.
            Err(ErrorCode::NoEntry) => {}
            Err(_) => output.skipped_unreadable += 1,
        }
        ControlFlow::Continue(())
    })?;
    Ok(Output {
        truncated: collector.truncated || summary.out_of_budget,
        skipped_unreadable: output.skipped_unreadable + summary.unreadable,
        matches: collector.matches,
        ..output
    })
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
        truncated: collector.truncated,
        matches: collector.matches,
        ..Output::default()
    })
}
