//! FX-24: a walk beyond its budget says so, and always ends at the same entry. And what instances share does not show.

use std::path::Path;

use serde_json::json;

use crate::hosts::{Pair, UNLIMITED};
use crate::reference::entries;
use crate::trees::Repository;

const TIMES: usize = 5;

fn with_budget(root: &Path, entries: u64) -> Pair {
    Pair::with_config(root, UNLIMITED, |config| config.limits.walk_entries = entries)
}

#[test]
fn a_walk_beyond_its_budget_ends_at_the_same_entry_each_time() {
    let repository = Repository::copy();
    let root = repository.root();
    let entries = entries(&root);
    let calls = [
        ("grep", json!({"pattern": "needle|fn "})),
        ("glob", json!({"pattern": "*"})),
        ("glob", json!({"pattern": "**/*.txt"})),
    ];
    for budget in [0, 1, 50, entries / 2, entries - 1] {
        let pair = with_budget(&root, budget);
        for (tool, arguments) in &calls {
            let result = pair.call(tool, arguments, TIMES);
            assert_eq!(result.get("truncated"), Some(&true.into()), "{tool} {budget}");
            assert_eq!(result.get("total"), None, "{tool} {budget}");
        }
    }
    // What fits exactly is complete.
    let exact = with_budget(&root, entries);
    for (tool, arguments) in &calls {
        assert_eq!(exact.call(tool, arguments, TIMES).get("truncated"), None, "{tool}");
    }
}

#[test]
fn a_line_too_long_for_a_share_of_the_memory_is_searched() {
    const LINE: usize = 15 << 20;
    let repository = Repository::copy();
    let root = repository.root();
    let line = format!("{} haystack", "x".repeat(LINE));
    std::fs::write(root.join("planted/many/one-line.txt"), line).unwrap();
    // Enough to hold the line while it grows, which half of it is not.
    let pair = Pair::with_config(&root, UNLIMITED, |config| config.limits.memory_bytes = 48 << 20);
    let result = pair.call("grep", &json!({"pattern": "x haystack"}), TIMES);
    let found = result["matches"].as_array().unwrap();
    // This file has it as well.
    assert!(found.iter().any(|found| found["clipped"] == true), "{found:?}");
}
