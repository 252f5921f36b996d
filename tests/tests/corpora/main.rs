//! The corpora of the fuzz targets, against the same properties: every input once.
//! Run by `make test`; `make fuzz` makes new inputs. `TOOLGATE_CORPORA` names another folder of corpora.
//! Must not know any input: what an input shows is said by its property.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "../../fuzz/src/properties/mod.rs"]
mod properties;
mod real_shells;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use properties::config::Places;
use properties::tree::Tree;

/// The inputs of one target, in the order of their names.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let usual = || concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus").into();
    let folder = std::env::var_os("TOOLGATE_CORPORA").unwrap_or_else(usual);
    let files = fs::read_dir(PathBuf::from(folder).join(target)).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 10, "{target} has only {} inputs", files.len());
    files
        .into_iter()
        .map(|file| (file.clone(), fs::read(file).unwrap()))
        .collect()
}

/// Fails with every input that fails, not with the first one.
fn replay(target: &str, check: impl Fn(&[u8])) {
    let failed: Vec<PathBuf> = corpus(target)
        .into_iter()
        .filter(|(_, input)| catch_unwind(AssertUnwindSafe(|| check(input))).is_err())
        .map(|(file, _)| file)
        .collect();
    assert!(failed.is_empty(), "{target} fails for {failed:#?}");
}

#[test]
fn rules() {
    replay("rules", properties::rules::check);
}

#[test]
fn shell() {
    replay("shell", properties::shell::check);
}

#[test]
fn paths() {
    let tree = Tree::new();
    replay("paths", |input| properties::paths::check(input, &tree));
}

#[test]
fn urls() {
    replay("urls", properties::urls::check);
}

#[test]
fn config() {
    let places = Places::new();
    replay("config", |input| properties::config::check(input, &places));
}
