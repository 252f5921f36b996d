//! From a path to the files that match.

use toolgate_plugin::fs::{GrantedPath, Kind, Walk};
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
    let root = path.display().trim_end_matches('/');
    let mut found = FirstPaths::new(caps.lines(), caps.bytes(), path_size);
    let summary = Walk::default().run_matching(path.open_directory()?, pattern, |visited| {
        if visited.target_kind() == Some(Kind::File) {
            found.add(format!("{root}/{}", visited.relative_path()));
        }
    })?;
    let total = found.total();
    let paths = found.into_sorted();
    let output = Output {
        truncated: summary.out_of_budget || (paths.len() as u64) < total,
        paths,
        total: (!summary.out_of_budget).then_some(total),
        skipped_unreadable: summary.unreadable,
    };
    Ok(output.within(caps.bytes()))
}
