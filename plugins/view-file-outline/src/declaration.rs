//! One declaration: its text without bodies, comments and attributes.

use tree_sitter::{Node, TreeCursor};

use crate::languages::{Part, Table};
use crate::text::Text;

/// An initialiser longer than this many bytes is replaced by `…`.
const LONGEST_VALUE: usize = 200;

/// A declaration of a file.
#[derive(Debug)]
pub(crate) struct Declaration<'tree> {
    /// The line of its first word, counted from 1.
    pub(crate) line: usize,
    /// Its text, indented as in the file.
    pub(crate) text: String,
    /// Its bodies whose content is declarations too.
    pub(crate) members: Vec<Node<'tree>>,
}

impl<'tree> Declaration<'tree> {
    /// Reads the declaration at `node`. The first of what is attached to it beside it in the tree
    /// starts at `from`, or it does itself.
    pub(crate) fn read(node: Node<'tree>, from: usize, source: &str, table: &'static Table) -> Self {
        let mut reader = Reader {
            table,
            text: Text::new(
                source,
                node.start_byte() - node.start_position().column,
                from,
                node.start_byte(),
            ),
            members: Vec::new(),
            kinds: Vec::new(),
        };
        reader.read(node.walk());
        let (text, start) = reader.text.finish();
        let above = source.as_bytes()[node.start_byte()..start]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Self {
            line: node.start_position().row + 1 + above,
            text,
            members: reader.members,
        }
    }
}

/// What to do with the node at which a reader stands.
enum Step {
    /// Its children are next.
    Into,
    /// What follows it is next.
    Over,
    /// Nothing is: the rest of the declaration is left out.
    Stop,
}

struct Reader<'source, 'tree> {
    table: &'static Table,
    text: Text<'source>,
    members: Vec<Node<'tree>>,
    /// The kinds of the nodes above the current one, below which it is.
    kinds: Vec<&'tree str>,
}

impl<'tree> Reader<'_, 'tree> {
    /// Goes through the tokens of a declaration, without recursion: sources can be nested deeper
    /// than the call stack is.
    fn read(&mut self, mut cursor: TreeCursor<'tree>) {
        loop {
            match self.step(&cursor) {
                Step::Into if cursor.node().child_count() > 0 => {
                    self.kinds.push(cursor.node().kind());
                    cursor.goto_first_child();
                    continue;
                }
                Step::Into | Step::Over => {}
                Step::Stop => return,
            }
            while !cursor.goto_next_sibling() {
                self.kinds.pop();
                if self.kinds.is_empty() || !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn step(&mut self, cursor: &TreeCursor<'tree>) -> Step {
        let node = cursor.node();
        let kind = node.kind();
        if self.table.is_comment(kind) {
            self.text.comment(node.byte_range());
            return Step::Over;
        }
        if self.table.is_attribute(kind) {
            self.text.attribute(node.byte_range());
            return Step::Over;
        }
        let part = self
            .kinds
            .last()
            .and_then(|parent| self.table.part(parent, cursor.field_name(), kind));
        match part {
            Some(Part::Cut) => {
                self.text.cut(node.byte_range());
                Step::Over
            }
            Some(Part::Members) => {
                self.members.push(node);
                self.text.members(node.byte_range());
                Step::Over
            }
            Some(Part::Empty) => {
                self.text.replace(node.byte_range(), "{}");
                Step::Over
            }
            Some(Part::Value) if self.is_long(node) => {
                self.text.shorten(node.byte_range());
                Step::Over
            }
            Some(Part::Last) => {
                self.text.token(node.byte_range());
                Step::Stop
            }
            Some(Part::Value) | None => self.keep(node, kind),
        }
    }

    fn keep(&mut self, node: Node<'_>, kind: &str) -> Step {
        if node.child_count() == 0 || self.table.is_string(kind) {
            self.text.token(node.byte_range());
            Step::Over
        } else {
            Step::Into
        }
    }

    fn is_long(&self, value: Node<'_>) -> bool {
        let lines = value.start_position().row..value.end_position().row;
        (!lines.is_empty() || value.byte_range().len() > LONGEST_VALUE) && !self.table.has_body(value.kind())
    }
}
