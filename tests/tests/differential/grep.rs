//! `grep` against ripgrep: the same files, lines and texts.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::hosts::{Pair, UNLIMITED};
use crate::ripgrep::{Line, search};
use crate::trees::{Repository, registry};

/// A pattern, the same for ripgrep where its dialect differs, and whether
/// so few lines match that a large tree can be searched for it.
struct Row(&'static str, Option<&'static str>, bool);

/// Ripgrep sees the CR of a line, and its classes and boundaries are Unicode.
const ROWS: &[Row] = &[
    Row("fn main", None, true),
    Row("needle", None, true),
    Row(r"fn \w+_async\b", Some(r"fn [0-9A-Za-z_]+_async(?-u:\b)"), true),
    Row("[A-Z]{9,}_[A-Z]+_[A-Z]{4}", None, true),
    Row(r"unimplemented!|unreachable!\(\)|todo!", None, true),
    Row("^pub unsafe fn ", None, true),
    Row(r"^\s+//[/!]? SAFETY", Some(r"^[\t\n\x0C\r ]+//[/!]? SAFETY"), true),
    Row(r"(?i)fixme", None, true),
    Row("(?i)stra(ss|ß)e|ǆ", None, true),
    Row("→|ß|é", None, true),
    Row(r"\d{7,}\.\d", Some(r"[0-9]{7,}\.[0-9]"), true),
    Row(
        r"\bextern\b.*\bfn\b.*;$",
        Some(r"(?-u:\b)extern(?-u:\b).*(?-u:\b)fn(?-u:\b).*;\r?$"),
        true,
    ),
    Row("[ -~]{600,}", None, true),
    Row(r"\Qvec![0; \E", Some(r"vec!\[0; "), true),
    Row(r"^\}\)\)\?;$", Some(r"^\}\)\)\?;\r?$"), true),
    Row("^use ", None, false),
    Row(";$", Some(r";\r?$"), false),
    Row("(?i)todo", None, false),
    Row("^$", Some(r"^\r?$"), false),
    Row("^", None, false),
    Row(r"\bself\b", Some(r"(?-u:\b)self(?-u:\b)"), false),
    Row(r"[^\x00-\x7F]", None, false),
    Row(r"[ \t]+$", Some(r"[ \t]+\r?$"), false),
    Row(
        r"(unwrap|expect)\(.*(\)|;)$",
        Some(r"(unwrap|expect)\(.*(\)|;)\r?$"),
        false,
    ),
    Row("[[:upper:]][^[:space:]]*::", None, false),
];

fn compare(tree: &Path, rows: impl Iterator<Item = &'static Row>) {
    let pair = Pair::new(tree, UNLIMITED);
    let mut matches = 0;
    for Row(pattern, peer, _) in rows {
        let result = pair.call("grep", &json!({"pattern": pattern}), 1);
        assert_eq!(result.get("truncated"), None, "{pattern}");
        matches += same(pattern, tree, &result, &search(tree, peer.unwrap_or(pattern)));
    }
    assert!(matches > 1000, "only {matches} lines were compared");
}

/// Fails unless the result is what ripgrep found; gives the number of lines.
fn same(pattern: &str, tree: &Path, result: &Map<String, Value>, expected: &[Line]) -> usize {
    let matches = result["matches"].as_array().unwrap();
    let prefix = format!("{}/", tree.to_str().unwrap());
    for (found, (path, line, text)) in matches.iter().zip(expected) {
        let place = found["path"].as_str().unwrap().strip_prefix(&prefix);
        assert!(
            place == Some(path.as_str()) && found["line"] == *line,
            "{pattern}: {found} where ripgrep has {path}:{line}:{text:.200}"
        );
        let shown = found["text"].as_str().unwrap();
        let good = match found.get("clipped") {
            // The ends of the part may lie in what is not UTF-8.
            Some(_) => shown.len() <= 1000 && text.len() > 1000 && text.contains(shown.trim_matches('\u{fffd}')),
            None => shown == text,
        };
        assert!(good, "{pattern}: {found} where ripgrep has {path}:{line}:{text:.2000}");
    }
    assert_eq!(matches.len(), expected.len(), "{pattern}");
    matches.len()
}

#[test]
fn grep_finds_what_ripgrep_finds_in_this_repository() {
    let repository = Repository::copy();
    compare(&repository.root(), ROWS.iter());
}

#[test]
fn grep_finds_what_ripgrep_finds_in_the_registry() {
    if let Some(registry) = registry() {
        compare(&registry, ROWS.iter().filter(|Row(.., everywhere)| *everywhere));
    }
}
