//! Collecting matches within the output limits.

use std::cmp::Ordering;
use std::ops::{ControlFlow, Range};

use schemars::JsonSchema;
use serde::Serialize;
use toolgate_plugin::fs::{Visit, walk_order};
use toolgate_plugin::{Caps, json};

use crate::clip::clip;

/// One matching line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Match {
    /// The file, absolute.
    pub path: String,
    /// The line number, counted from 1.
    pub line: u64,
    /// The line without its terminator, or a part of it.
    pub text: String,
    /// Present if `text` is only the part of a long line around the match.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clipped: bool,
}

/// The first matches in the order of the walk. `{"matches":[…]}` never encodes to more than the
/// byte limit; flags and counters beside it come on top.
#[derive(Debug)]
pub(crate) struct Collector {
    /// Those of finished parts of the tree, in order, then those of the current part.
    found: Vec<Sized>,
    /// Where those of the current part start.
    part: usize,
    /// The first match that did not fit: nothing after it is taken, lest there be a gap.
    lost: Option<Match>,
    max_matches: usize,
    max_bytes: usize,
    /// What is left of `max_bytes` for the current part.
    bytes_left: usize,
}

/// A match and the bytes of JSON that it takes, separator included.
#[derive(Debug)]
struct Sized {
    found: Match,
    size: usize,
}

impl Collector {
    pub(crate) fn new(caps: Caps) -> Self {
        // One match needs no separator.
        let max_bytes = caps.bytes().saturating_sub(r#"{"matches":[]}"#.len()).saturating_add(1);
        Self {
            found: Vec::new(),
            part: 0,
            lost: None,
            max_matches: caps.lines(),
            max_bytes,
            bytes_left: max_bytes,
        }
    }

    /// Takes a matching line (or the searched part of one), or breaks if there is no room.
    pub(crate) fn add(&mut self, path: &str, line: u64, text: &[u8], range: Range<usize>, partial: bool) -> Visit {
        let (text, clipped) = clip(text, range);
        let found = Match {
            path: path.to_owned(),
            line,
            text,
            clipped: clipped || partial,
        };
        let size = json::encoded_len(&found).saturating_add(1);
        if self.found.len() - self.part >= self.max_matches || size > self.bytes_left {
            self.lose(found);
            return ControlFlow::Break(());
        }
        self.bytes_left -= size;
        self.found.push(Sized { found, size });
        ControlFlow::Continue(())
    }

    /// Ends a part of the tree: puts its matches among the earlier ones, of which the last may
    /// have to go. Files of one directory and parts below it can lie between each other.
    pub(crate) fn end_part(&mut self) {
        if self.part > 0 {
            self.found.sort_by(|one, other| order(&one.found, &other.found));
            let mut bytes_left = self.max_bytes;
            let lost = self.lost.as_ref();
            let fit = self.found.iter().take(self.max_matches).take_while(|sized| {
                let fits = sized.size <= bytes_left && lost.is_none_or(|lost| order(&sized.found, lost).is_lt());
                bytes_left = bytes_left.saturating_sub(sized.size);
                fits
            });
            let kept = fit.count();
            if let Some(first) = self.found.split_off(kept).into_iter().next() {
                self.lose(first.found);
            }
        }
        self.part = self.found.len();
        self.bytes_left = self.max_bytes;
    }

    fn lose(&mut self, found: Match) {
        if self.lost.as_ref().is_none_or(|lost| order(&found, lost).is_lt()) {
            self.lost = Some(found);
        }
    }

    /// Whether there is a match that did not fit.
    pub(crate) fn is_truncated(&self) -> bool {
        self.lost.is_some()
    }

    /// Whether nothing below this path can be among the first matches any more.
    pub(crate) fn is_beyond(&self, path: &str) -> bool {
        self.lost
            .as_ref()
            .is_some_and(|lost| walk_order(path, &lost.path).is_gt())
    }

    pub(crate) fn into_matches(self) -> Vec<Match> {
        self.found.into_iter().map(|sized| sized.found).collect()
    }
}

fn order(one: &Match, other: &Match) -> Ordering {
    walk_order(&one.path, &other.path).then(one.line.cmp(&other.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(caps: Caps, count: u64) -> Collector {
        let mut collector = Collector::new(caps);
        for line in 1..=count {
            if collector.add("/w/a", line, b"say \"hi\"", 0..3, false).is_break() {
                break;
            }
        }
        collector
    }

    #[test]
    fn the_byte_limit_is_exact() {
        let all = fill(
            Caps {
                max_bytes: 0,
                max_lines: 0,
            },
            9,
        )
        .into_matches();
        let size = serde_json::to_string(&serde_json::json!({ "matches": all }))
            .unwrap()
            .len();
        assert!(
            !fill(
                Caps {
                    max_bytes: size,
                    max_lines: 0
                },
                9
            )
            .is_truncated()
        );
        let short = fill(
            Caps {
                max_bytes: size - 1,
                max_lines: 0,
            },
            9,
        );
        assert!(short.is_truncated());
        assert_eq!(short.into_matches().len(), 8);
    }

    #[test]
    fn reaching_the_number_of_matches_is_not_truncation() {
        let caps = Caps {
            max_bytes: 0,
            max_lines: 5,
        };
        assert!(!fill(caps, 5).is_truncated());
        assert!(fill(caps, 6).is_truncated());
        assert_eq!(fill(caps, 6).into_matches().len(), 5);
    }

    #[test]
    fn nothing_is_taken_after_what_did_not_fit() {
        let size = |name: &str| format!(r#"{{"path":"{name}","line":1,"text":"x"}}"#).len();
        let caps = Caps {
            max_bytes: r#"{"matches":[]}"#.len() + size("/w/c/1") + 1 + size("/w/m"),
            max_lines: 0,
        };
        let mut collector = Collector::new(caps);
        assert!(collector.add("/w/m", 1, b"x", 0..1, false).is_continue());
        collector.end_part();
        assert!(collector.add("/w/c/1", 1, b"x", 0..1, false).is_continue());
        assert!(collector.add("/w/c/2", 1, &[b'x'; 500], 0..1, false).is_break());
        collector.end_part();
        let paths: Vec<_> = collector.into_matches().into_iter().map(|found| found.path).collect();
        assert_eq!(paths, ["/w/c/1"]);
    }

    #[test]
    fn parts_are_joined_in_the_order_of_the_walk() {
        let caps = Caps {
            max_bytes: 0,
            max_lines: 4,
        };
        let mut collector = Collector::new(caps);
        for (part, paths) in [("", ["/w/a", "/w/m/x", "/w/z"]), ("c", ["/w/c/1", "/w/c/2", "/w/c/3"])] {
            assert!(!collector.is_beyond(&format!("/w/{part}")));
            for path in paths {
                assert!(collector.add(path, 1, b"x", 0..1, false).is_continue());
            }
            collector.end_part();
        }
        assert!(collector.is_truncated() && collector.is_beyond("/w/n") && !collector.is_beyond("/w/m"));
        let paths: Vec<_> = collector.into_matches().into_iter().map(|found| found.path).collect();
        assert_eq!(paths, ["/w/a", "/w/c/1", "/w/c/2", "/w/c/3"]);
    }
}
