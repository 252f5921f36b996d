//! Changes of the files while a host runs.

use std::fs;
use std::sync::Arc;

use toolgate::config::{Poll, Watcher};

use crate::scratch::Scratch;

const USER: &str = "user.toml";

fn concurrency(text: u32) -> String {
    format!("[limits]\nconcurrency = {text}\n")
}

#[test]
fn a_change_is_swapped_in() {
    let scratch = Scratch::new();
    scratch.write(USER, concurrency(5));
    let mut watcher = Watcher::new(scratch.options()).unwrap();
    let (current, other) = (watcher.current(), watcher.current());
    let before = current.get();
    assert!(matches!(watcher.poll(), Poll::Unchanged));
    assert!(Arc::ptr_eq(&before, &current.get()));

    // The same size, and likely the same time.
    scratch.write(USER, concurrency(6));
    let Poll::Reloaded(after) = watcher.poll() else {
        panic!("not noticed")
    };
    assert_eq!(after.config.limits.concurrency, 6);
    assert!(Arc::ptr_eq(&after, &other.get()));
    assert_eq!(before.config.limits.concurrency, 5, "who holds the old one keeps it");
    assert!(matches!(watcher.poll(), Poll::Unchanged));

    // The same bytes written again are no change.
    scratch.write(USER, concurrency(6));
    assert!(matches!(watcher.poll(), Poll::Unchanged));

    fs::remove_file(scratch.path(USER)).unwrap();
    assert!(matches!(watcher.poll(), Poll::Reloaded(_)));
    assert_eq!(current.get().config.limits.concurrency, 64);
}

#[test]
fn a_broken_file_changes_nothing_and_is_said_once() {
    let scratch = Scratch::new();
    scratch.write(USER, concurrency(5));
    let mut watcher = Watcher::new(scratch.options()).unwrap();
    let current = watcher.current();
    scratch.write(USER, "[limits\n");
    let Poll::Broken(errors) = watcher.poll() else {
        panic!("not noticed")
    };
    assert!(errors.to_string().contains("user.toml:1"), "{errors}");
    assert_eq!(current.get().config.limits.concurrency, 5);
    assert!(matches!(watcher.poll(), Poll::Unchanged));
    scratch.write(USER, concurrency(7));
    assert!(matches!(watcher.poll(), Poll::Reloaded(_)));
    assert_eq!(current.get().config.limits.concurrency, 7);
}

#[test]
fn project_files_and_trust_are_watched_before_they_exist() {
    let scratch = Scratch::new();
    fs::remove_dir(scratch.path("project/.agents")).unwrap();
    let mut watcher = Watcher::new(scratch.options()).unwrap();
    let current = watcher.current();
    assert!(matches!(watcher.poll(), Poll::Unchanged));
    let file = scratch.write("project/.agents/toolgate.toml", concurrency(100));
    assert!(matches!(watcher.poll(), Poll::Reloaded(_)));
    assert_eq!(current.get().config.limits.concurrency, 64, "not trusted");
    scratch.store().trust(&file, scratch.last().digest).unwrap();
    assert!(matches!(watcher.poll(), Poll::Reloaded(_)));
    assert_eq!(current.get().config.limits.concurrency, 100);
    scratch.store().revoke(&file).unwrap();
    assert!(matches!(watcher.poll(), Poll::Reloaded(_)));
    assert_eq!(current.get().config.limits.concurrency, 64);
}
