//! FX-24: a walk beyond its budget says so, and always ends at the same entry.

use serde_json::json;

use crate::hosts::{Pair, UNLIMITED};
use crate::reference::entries;
use crate::trees::Repository;

const TIMES: usize = 5;

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
        let pair = Pair::with_budget(&root, UNLIMITED, budget);
        for (tool, arguments) in &calls {
            let result = pair.call(tool, arguments, TIMES);
            assert_eq!(result.get("truncated"), Some(&true.into()), "{tool} {budget}");
            assert_eq!(result.get("total"), None, "{tool} {budget}");
        }
    }
    // What fits exactly is complete.
    let exact = Pair::with_budget(&root, UNLIMITED, entries);
    for (tool, arguments) in &calls {
        assert_eq!(exact.call(tool, arguments, TIMES).get("truncated"), None, "{tool}");
    }
}
