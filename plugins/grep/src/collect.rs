//! Collecting matches within the output limits.

use std::io;
use std::ops::{ControlFlow, Range};

use schemars::JsonSchema;
use serde::Serialize;
use toolgate_plugin::Caps;
use toolgate_plugin::fs::Visit;

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

/// Matches so far. `{"matches":[…]}` never encodes to more than the byte limit; flags and
/// counters beside it come on top.
#[derive(Debug)]
pub(crate) struct Collector {
    pub(crate) matches: Vec<Match>,
    /// A match was found that did not fit.
    pub(crate) truncated: bool,
    max_matches: usize,
    bytes_left: usize,
}

impl Collector {
    pub(crate) fn new(caps: Caps) -> Self {
        Self {
            matches: Vec::new(),
            truncated: false,
            max_matches: caps.lines(),
            bytes_left: caps.bytes().saturating_sub(r#"{"matches":[]}"#.len()),
        }
    }

    /// Takes a matching line (or the searched part of one), or breaks if there is no room.
    pub(crate) fn add(&mut self, path: &str, line: u64, text: &[u8], found: Range<usize>, partial: bool) -> Visit {
        let (text, clipped) = clip(text, found);
        let found = Match {
            path: path.to_owned(),
            line,
            text,
            clipped: clipped || partial,
        };
        let comma = usize::from(!self.matches.is_empty());
        let size = comma.saturating_add(encoded_size(&found));
        if self.matches.len() >= self.max_matches || size > self.bytes_left {
            self.truncated = true;
            return ControlFlow::Break(());
        }
        self.bytes_left -= size;
        self.matches.push(found);
        ControlFlow::Continue(())
    }
}

/// How many bytes of JSON a match takes.
fn encoded_size(found: &Match) -> usize {
    struct Size(usize);

    impl io::Write for Size {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut size = Size(0);
    match serde_json::to_writer(&mut size, found) {
        Ok(()) => size.0,
        Err(_) => usize::MAX,
    }
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
        .matches;
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
            .truncated
        );
        let short = fill(
            Caps {
                max_bytes: size - 1,
                max_lines: 0,
            },
            9,
        );
        assert!(short.truncated);
        assert_eq!(short.matches.len(), 8);
    }

    #[test]
    fn reaching_the_number_of_matches_is_not_truncation() {
        let caps = Caps {
            max_bytes: 0,
            max_lines: 5,
        };
        assert!(!fill(caps, 5).truncated);
        assert!(fill(caps, 6).truncated);
        assert_eq!(fill(caps, 6).matches.len(), 5);
    }
}
