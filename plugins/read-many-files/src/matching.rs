//! The files that match a pattern.

use toolgate_plugin::fs::{GrantedPath, Kind, Walk};
use toolgate_plugin::glob::{FirstPaths, Pattern};
use toolgate_plugin::{Call, Error};

use crate::collect::Collector;
use crate::content::entry;
use crate::output::Output;

/// The most matching files of one call.
const MAX_MATCHES: usize = 2000;

/// What the walk adds to a result beside entries.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    /// There are more matches than one call takes, or more entries than it visits.
    truncated: bool,
    total_matches: Option<u64>,
    unreadable: u64,
}

impl Matched {
    pub(crate) fn complete(self, output: Output) -> Output {
        Output {
            truncated: output.truncated || self.truncated,
            total_matches: self.total_matches,
            skipped_unreadable: self.unreadable,
            ..output
        }
    }
}

/// Looks for matching files and takes them in byte order of their paths. An error means that the
/// root cannot be walked.
pub(crate) fn read(call: &Call, pattern: &Pattern, collector: &mut Collector) -> Result<Matched, Error> {
    if let Some(refused) = call.refused("path").into_iter().next() {
        return Err(refused.error);
    }
    let root = call.path("path")?;
    match root.metadata()? {
        None => Err(Error::not_found(format!(
            "{}: not found: it does not exist",
            root.display()
        ))),
        Some(metadata) if metadata.kind == Kind::File => {
            let path = root.display();
            if pattern.matches(path.rsplit('/').next().unwrap_or(path)) {
                collector.add(path, || entry(path, root.open_file()));
            }
            Ok(Matched::default())
        }
        Some(_) => directory(&root, pattern, collector),
    }
}

fn directory(root: &GrantedPath<'_>, pattern: &Pattern, collector: &mut Collector) -> Result<Matched, Error> {
    // Relative to the root: their order is that of the whole paths.
    let mut found = FirstPaths::new(MAX_MATCHES, usize::MAX, str::len);
    let summary = Walk::default().run_matching(root.open_directory()?, pattern, |visited| {
        if visited.entry.kind == Kind::File {
            found.add(visited.relative_path());
        }
    })?;
    let total = found.total();
    let too_many = total > MAX_MATCHES as u64;
    let directory = root.open_directory()?;
    let prefix = root.display().trim_end_matches('/');
    for relative in found.into_sorted() {
        let path = format!("{prefix}/{relative}");
        collector.add(&path, || entry(&path, directory.open_file(&relative)));
    }
    Ok(Matched {
        truncated: summary.out_of_budget || too_many,
        total_matches: too_many.then_some(total),
        unreadable: summary.unreadable,
    })
}
