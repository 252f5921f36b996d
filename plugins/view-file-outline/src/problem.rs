//! Where a text stops being its language.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tree_sitter::{LogType, ParseOptions, Parser, Point, Tree};

/// The first place that does not parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Line, counted from 1. Directives that claim another one do not count.
    pub(crate) line: usize,
    /// Byte of the line, counted from 1.
    pub(crate) column: usize,
    /// What is wrong there.
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(point: Point, message: impl Into<String>) -> Self {
        Self {
            line: point.row + 1,
            column: point.column + 1,
            message: message.into(),
        }
    }

    pub(crate) fn at_start(message: impl Into<String>) -> Self {
        Self::new(Point::default(), message)
    }
}

/// The first problem of a text that has one.
///
/// The tree tells only how the parser helped itself, which can be an error node around all that
/// was right so far. So the text is parsed once more, until the parser is first at a loss.
pub(crate) fn first(parser: &mut Parser, tree: &Tree, source: &str) -> Problem {
    let stuck = Arc::new(Stuck::default());
    let observer = Arc::clone(&stuck);
    parser.set_logger(Some(Box::new(move |kind, message| {
        if kind == LogType::Parse {
            observer.see(message);
        }
    })));
    let mut progress = |_: &_| {
        if stuck.certain.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = source.as_bytes();
    let mut read = |byte: usize, _| bytes.get(byte..).unwrap_or_default();
    parser.reset();
    parser.parse_with_options(&mut read, None, Some(options));
    parser.set_logger(None);
    match stuck.place() {
        Some(after) => Problem::new(next_token(source, after), "syntax error"),
        None => in_tree(tree),
    }
}

/// What the parser says of its work. It follows several readings of a text at once, and only when
/// all of them have failed does it try to recover: the one that came furthest is the problem.
#[derive(Debug, Default)]
struct Stuck {
    row: AtomicUsize,
    column: AtomicUsize,
    furthest: Mutex<Option<(usize, usize)>>,
    certain: AtomicBool,
}

impl Stuck {
    fn see(&self, message: &str) {
        if self.certain.load(Ordering::Relaxed) {
            return;
        }
        if message.starts_with("process ") {
            let number = |name: &str| {
                let (_, rest) = message.split_once(name)?;
                let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                rest[..digits].parse().ok()
            };
            self.row.store(number("row:").unwrap_or(0), Ordering::Relaxed);
            self.column.store(number("col:").unwrap_or(0), Ordering::Relaxed);
        } else if message.starts_with("detect_error") {
            let place = (self.row.load(Ordering::Relaxed), self.column.load(Ordering::Relaxed));
            if let Ok(mut furthest) = self.furthest.lock() {
                *furthest = Some(furthest.map_or(place, |other| other.max(place)));
            }
        } else if message.starts_with("resume version") {
            self.certain.store(true, Ordering::Relaxed);
        }
    }

    /// Where the last token that fitted ends.
    fn place(&self) -> Option<Point> {
        let furthest = self.furthest.lock().ok()?;
        furthest.map(|(row, column)| Point { row, column })
    }
}

/// The next token of the same line. If the line has none, its end is where something is missing.
fn next_token(source: &str, after: Point) -> Point {
    let line = source.split('\n').nth(after.row).unwrap_or_default();
    let rest = line.get(after.column..).unwrap_or_default();
    let blanks = rest.find(|c: char| !c.is_whitespace()).unwrap_or(0);
    Point::new(after.row, after.column + blanks)
}

/// The first node of a tree that is an error, or was put in where something is missing.
fn in_tree(tree: &Tree) -> Problem {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_missing() || node.is_error() {
            return Problem::new(node.start_position(), "syntax error");
        }
        if !(node.has_error() && cursor.goto_first_child()) {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Problem::at_start("syntax error");
                }
            }
        }
    }
}
