//! Seeing whether anything changed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What there is under one name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    mode: u32,
    /// Of directories only if asked for: making and removing a file inside changes it.
    modified: Option<(i64, i64)>,
    content: Vec<u8>,
}

/// Everything below a directory, and itself.
pub(crate) fn snapshot(top: &Path, times_of_directories: bool) -> BTreeMap<PathBuf, Seen> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(path) = waiting.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let content = if metadata.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if metadata.is_file() {
            fs::read(&path).unwrap()
        } else {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            Vec::new()
        };
        let timed = times_of_directories || !metadata.is_dir();
        let seen = Seen {
            mode: metadata.mode(),
            modified: timed.then(|| (metadata.mtime(), metadata.mtime_nsec())),
            content,
        };
        all.insert(path, seen);
    }
    all
}
