//! From a path to the files that match.

use std::ops::ControlFlow;

use toolgate_plugin::fs::{GrantedPath, Kind, Visit, Visited, Visitor, Walk};
use toolgate_plugin::glob::{FirstPaths, Pattern};
use toolgate_plugin::{Caps, Error};

use crate::output::{Output, path_size};

/// Searches a directory tree, or looks at a single file.
pub(crate) fn run(path: &GrantedPath<'_>, pattern: &Pattern, caps: Caps) -> Result<Output, Error> {
    match path.metadata()? {
        None => Err(Error::not_found(format!(
            "{}: not found: it does not exist",
            path.display()
        ))),
        Some(metadata) if metadata.kind == Kind::File => Ok(file(path.display(), pattern, caps)),
        Some(_) => directory(path, pattern, caps),
    }
}

fn file(path: &str, pattern: &Pattern, caps: Caps) -> Output {
    let name = path.rsplit('/').next().unwrap_or(path);
    let paths: Vec<_> = pattern.matches(name).then(|| path.to_owned()).into_iter().collect();
    let output = Output {
        total: Some(paths.len() as u64),
        paths,
        ..Output::default()
    };
    output.within(caps.bytes())
}

fn directory(path: &GrantedPath<'_>, pattern: &Pattern, caps: Caps) -> Result<Output, Error> {
    let mut finder = Finder {
        pattern,
        root: path.display().trim_end_matches('/'),
        found: FirstPaths::new(caps.lines(), caps.bytes(), path_size),
    };
    let summary = Walk::default().run_with(path.open_directory()?, &mut finder)?;
    let total = finder.found.total();
    let paths = finder.found.into_sorted();
    let output = Output {
        truncated: summary.out_of_budget || (paths.len() as u64) < total,
        paths,
        total: (!summary.out_of_budget).then_some(total),
        skipped_unreadable: summary.unreadable,
    };
    Ok(output.within(caps.bytes()))
}

struct Finder<'a> {
    pattern: &'a Pattern,
    /// The root of the walk, without a final `/`.
    root: &'a str,
    found: FirstPaths,
}

impl Visitor for Finder<'_> {
    fn part(&mut self, path: &str) -> bool {
        path.is_empty() || self.pattern.may_match_below(path)
    }

    fn enter(&mut self, visited: &Visited<'_>) -> bool {
        self.pattern.may_match_below(&visited.relative_path())
    }

    fn entry(&mut self, visited: &Visited<'_>) -> Visit {
        let entry = visited.entry;
        // The type of a link's target costs a look-up, so the pattern goes first.
        if matches!(entry.kind, Kind::File | Kind::Symlink)
            && self.pattern.matches_entry(&entry.name, || visited.relative_path())
            && visited.target_kind() == Some(Kind::File)
        {
            self.found.add(format!("{}/{}", self.root, visited.relative_path()));
        }
        ControlFlow::Continue(())
    }
}
