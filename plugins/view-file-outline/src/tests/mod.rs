//! What lives here: tests of outlines as a whole; those of one step stand beside it.
//! What may call it: the test runner.
//! What it must not touch: the host; everything here is text in, text out.

mod c_family;
mod mutations;
mod real_files;
mod refusals;
mod shapes;

use std::path::PathBuf;

use crate::file::{Kind, Made};

/// The outline of a text in a file of this name.
fn outline(name: &str, source: &str) -> Result<Made, String> {
    Kind::of(name, true)
        .and_then(|kind| kind.outline(source, name, true))
        .map_err(|error| error.message)
}

/// The text of an outline that must succeed.
fn text(name: &str, source: &str) -> String {
    outline(name, source).unwrap().text
}

/// The real files, with their paths.
fn real_files() -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/outline");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_source = Kind::of(path.to_str().unwrap(), false).is_ok();
            if is_source {
                let source = std::fs::read_to_string(&path).unwrap();
                files.push((path, source));
            }
        }
    }
    files.sort();
    files
}
