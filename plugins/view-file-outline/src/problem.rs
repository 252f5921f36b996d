//! Where a text stops being its language.

use tree_sitter::{Point, Tree, TreeCursor};

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

/// The first error of a tree, if it has one.
pub(crate) fn first(tree: &Tree, source: &str) -> Option<Problem> {
    if !tree.root_node().has_error() {
        return None;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_missing() {
            return Some(Problem::new(node.start_position(), format!("missing {}", node.kind())));
        }
        if node.is_error() {
            return Some(inside(cursor, source));
        }
        let deeper = node.has_error() && cursor.goto_first_child();
        if !deeper && !forward(&mut cursor) {
            // An error is always found; if not, the text still does not parse.
            return Some(Problem::at_start("syntax error"));
        }
    }
}

/// An ERROR node holds what was understood before the parser got stuck, and what it then skipped.
fn inside(cursor: TreeCursor<'_>, _source: &str) -> Problem {
    Problem::new(cursor.node().start_position(), "syntax error")
}

/// To the next node that is not below the current one.
fn forward(cursor: &mut TreeCursor<'_>) -> bool {
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}
