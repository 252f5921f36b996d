//! What tools say of themselves and of each other: only what is true of the catalog they are in.
//! Run by `make test`; the rows are data in `descriptions.json` and `refusals.json`.
//! Asks the built-in components themselves, for catalogs that no host of this build would have.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod catalogs;
mod refusals;
mod rows;
mod speakers;

/// The names of all built-in tools, of this build or of another. A text that
/// names one of them speaks of a tool.
const NAMES: &[&str] = &[
    "bash",
    "delete_file",
    "edit_file",
    "fetch_url",
    "glob",
    "grep",
    "json_query",
    "list_dir",
    "read_file",
    "read_many_files",
    "record_plan",
    "retrieve_raw",
    "spawn_agent",
    "stat",
    "todo",
    "view_file_outline",
    "write_file",
];

/// Whether a text has this name as a word of its own; `.bash` is an extension of file names and no word.
fn names(text: &str, name: &str) -> bool {
    let part_of_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|before| before == '.' || part_of_word(before)) && !after.is_some_and(part_of_word)
    })
}

/// Fails with every failure, not with the first one.
fn verdict(what: &str, ran: usize, failures: &[String]) {
    assert!(ran > 0, "{what}: nothing ran");
    let shown = failures.len().min(20);
    assert!(
        failures.is_empty(),
        "{what}: {} of {ran} failed:\n{}",
        failures.len(),
        failures[..shown].join("\n")
    );
}

#[test]
fn a_name_is_a_word() {
    assert!(names("use read_file.", "read_file") && names("`glob`", "glob"));
    assert!(!names("read_files", "read_file") && !names("status", "stat") && !names("globs", "glob"));
    assert!(names("through bash.", "bash") && !names("files ending in .bash", "bash"));
}
