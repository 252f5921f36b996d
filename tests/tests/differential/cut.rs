//! Small output limits: the same results whatever the instances did, and exactly as many as fit.

use std::path::Path;

use serde_json::{Map, Value, json};
use toolgate::config::CapsConfig;

use crate::hosts::{Pair, UNLIMITED};
use crate::trees::{Repository, registry};

/// Limits of lines and bytes; 0 leaves the tool's own in force.
const LIMITS: &[(i64, i64)] = &[
    (7, 0),
    (100, 0),
    (0, 500),
    (0, 5000),
    (0, 50_000),
    (1, 0),
    (0, 2345),
    (9, 1300),
];
/// So many of them for a large tree.
const FEW: usize = 5;
/// Calls of several instances for each.
const TIMES: usize = 5;

fn caps((max_lines, max_bytes): (i64, i64)) -> CapsConfig {
    CapsConfig { max_bytes, max_lines }
}

/// The limits in force where only one is set.
fn in_force(own: (usize, usize), (lines, bytes): (i64, i64)) -> (usize, usize) {
    let pick = |own, set| if set > 0 { usize::try_from(set).unwrap() } else { own };
    (pick(own.0, lines), pick(own.1, bytes))
}

fn grep(tree: &Path, patterns: &[&str], limits: &[(i64, i64)]) {
    let whole = Pair::new(tree, UNLIMITED);
    let all: Vec<_> = patterns
        .iter()
        .map(|pattern| (pattern, whole.call("grep", &json!({"pattern": pattern}), 1)))
        .collect();
    for limits in limits {
        let pair = Pair::new(tree, caps(*limits));
        for (pattern, all) in &all {
            let result = pair.call("grep", &json!({"pattern": pattern}), TIMES);
            let all = all["matches"].as_array().unwrap();
            let (lines, bytes) = in_force((5000, 262_144), *limits);
            let fitting = fitting(all, lines, bytes - r#"{"matches":[]}"#.len());
            let mut expected = Map::from_iter([("matches".to_owned(), json!(all[..fitting]))]);
            if fitting < all.len() {
                expected.insert("truncated".to_owned(), true.into());
                assert!(
                    result == expected,
                    "{pattern} {limits:?}: {} of {fitting}",
                    length(&result, "matches")
                );
            } else {
                assert!(result["matches"] == expected["matches"], "{pattern} {limits:?}");
                assert_eq!(result.get("truncated"), None, "{pattern} {limits:?}");
            }
        }
    }
}

fn glob(tree: &Path, patterns: &[&str], limits: &[(i64, i64)]) {
    let whole = Pair::new(tree, UNLIMITED);
    let all: Vec<_> = patterns
        .iter()
        .map(|pattern| (pattern, whole.call("glob", &json!({"pattern": pattern}), 0)))
        .collect();
    for limits in limits {
        let pair = Pair::new(tree, caps(*limits));
        for (pattern, all) in &all {
            let result = pair.call("glob", &json!({"pattern": pattern}), TIMES);
            let paths = all["paths"].as_array().unwrap();
            let (lines, bytes) = in_force((500, 32_768), *limits);
            let room = |frame: &Map<String, Value>| bytes.saturating_sub(json!(frame).to_string().len());
            let mut expected = all.clone();
            expected.insert("paths".to_owned(), json!([]));
            let mut kept = fitting(paths, lines, room(&expected));
            if kept < paths.len() {
                // The flag takes room as well.
                expected.insert("truncated".to_owned(), true.into());
                kept = fitting(paths, lines, room(&expected));
            }
            expected.insert("paths".to_owned(), json!(paths[..kept]));
            let found = length(&result, "paths");
            assert!(result == expected, "{pattern} {limits:?}: {found} of {kept}");
        }
    }
}

/// How many of the values encode to no more than the bytes of a list without its brackets.
fn fitting(all: &[Value], lines: usize, bytes: usize) -> usize {
    let mut end = 0;
    let fits = all.iter().take(lines).take_while(|value| {
        end += value.to_string().len() + 1;
        end <= bytes + 1
    });
    fits.count()
}

fn length(result: &Map<String, Value>, list: &str) -> usize {
    result[list].as_array().unwrap().len()
}

#[test]
fn limits_cut_a_shared_search_where_they_cut_a_single_one() {
    let repository = Repository::copy();
    grep(&repository.root(), &["needle", "fn \\w+", "unsafe|[0-9]{6}"], LIMITS);
    glob(&repository.root(), &["*", "*.rs", "?.txt", "host/**"], LIMITS);
}

#[test]
fn limits_cut_a_shared_search_of_the_registry_likewise() {
    if let Some(registry) = registry() {
        grep(&registry, &["fn \\w+_async\\b", "^pub unsafe fn "], &LIMITS[..FEW]);
        glob(&registry, &["*.md", "**/tests/*.rs"], &LIMITS[..FEW]);
    }
}
