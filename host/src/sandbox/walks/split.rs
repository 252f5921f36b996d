//! Where a tree is cut into parts.

use std::collections::VecDeque;

use crate::sandbox::bindings::toolgate::plugin::walks::Part;
use crate::sandbox::bindings::wasi::filesystem::types::DescriptorType;
use crate::sandbox::filesystem::CallFiles;

/// Parts for each instance: so many that the last ones to end are short.
const PARTS_PER_INSTANCE: usize = 24;
/// Directories that are listed here at most. They are listed again by those
/// who walk them, so this is the price of sharing.
const MAX_LISTED: usize = 96;
/// Entries that are looked at here at most, where directories are large.
const MAX_ENTRIES: usize = 20_000;
/// Trees of no more entries are walked by one instance: a second one would
/// cost more than it saves.
const SMALL: usize = 400;

/// The parts of the tree at `relative`, in the order of the walk; one for all
/// of it if sharing is not worth it. Breadth first, so that parts are large
/// and alike where the tree lets them be. A directory with many files and
/// nothing below it stays one part.
pub(in crate::sandbox) fn split(
    files: &CallFiles,
    root: usize,
    relative: &str,
    skip: &[String],
    instances: usize,
) -> Vec<Part> {
    let wanted = instances * PARTS_PER_INSTANCE;
    let mut waiting = VecDeque::from([String::new()]);
    let mut parts = Vec::new();
    let mut entries = 0;
    while let Some(path) = waiting.pop_front() {
        let enough = parts.len() + waiting.len() >= wanted || parts.len() >= MAX_LISTED || entries >= MAX_ENTRIES;
        let listed = if enough {
            None
        } else {
            list(files, root, &join(relative, &path), skip, &mut entries)
        };
        let Some(directories) = listed else {
            // Whoever takes it finds out what is wrong with it.
            parts.push(Part { path, recursive: true });
            continue;
        };
        waiting.extend(directories.iter().map(|name| join(&path, name)));
        parts.push(Part { path, recursive: false });
    }
    if entries <= SMALL && parts.iter().all(|part| !part.recursive) {
        let path = String::new();
        return vec![Part { path, recursive: true }];
    }
    parts.sort_by(|one, other| super::merge::walk_order(&one.path, &other.path));
    parts
}

/// The directories in a directory that a walk enters. None if it cannot be
/// listed, or is too large for what is left of the entries.
fn list(files: &CallFiles, root: usize, relative: &str, skip: &[String], entries: &mut usize) -> Option<Vec<String>> {
    let mut listing = files.list_place(root, relative).ok()?;
    let mut directories = Vec::new();
    while let Some(entry) = files.next_entry(&mut listing).ok()? {
        *entries += 1;
        if *entries > MAX_ENTRIES {
            return None;
        }
        if entry.type_ == DescriptorType::Directory && !skip.contains(&entry.name) {
            directories.push(entry.name);
        }
    }
    Some(directories)
}

fn join(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.to_owned(),
        (directory, "") => directory.to_owned(),
        _ => format!("{directory}/{name}"),
    }
}
