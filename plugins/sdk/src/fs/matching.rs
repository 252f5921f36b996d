//! Walks that look for a pattern.

use std::ops::ControlFlow;

use super::{Directory, Kind, Visit, Visited, Visitor, Walk, WalkSummary};
use crate::Error;
use crate::glob::Pattern;

impl Walk<'_> {
    /// As [`Walk::run`], but comes only to entries that match a pattern and are no directories, and
    /// enters only directories that can hold such.
    ///
    /// # Errors
    ///
    /// The root itself cannot be read.
    pub fn run_matching(
        &self,
        root: Directory,
        pattern: &Pattern,
        found: impl FnMut(&Visited<'_>),
    ) -> Result<WalkSummary, Error> {
        self.run_with(root, &mut Matching { pattern, found })
    }
}

struct Matching<'a, F> {
    pattern: &'a Pattern,
    found: F,
}

impl<F: FnMut(&Visited<'_>)> Visitor for Matching<'_, F> {
    fn part(&mut self, path: &str) -> bool {
        path.is_empty() || self.pattern.may_match_below(path)
    }

    fn enter(&mut self, visited: &Visited<'_>) -> bool {
        self.pattern.may_match_below(&visited.relative_path())
    }

    fn entry(&mut self, visited: &Visited<'_>) -> Visit {
        let entry = visited.entry;
        if entry.kind != Kind::Directory && self.pattern.matches_entry(&entry.name, || visited.relative_path()) {
            (self.found)(visited);
        }
        ControlFlow::Continue(())
    }
}
