//! Blocks that hold others: lists, items, quotes, headings.

use super::attributes::{Attributes, Name};
use super::lines::Break;
use super::renderer::Renderer;
use super::tables::Table;

/// How many blocks may be open at once. What is nested deeper belongs to the innermost of these.
const DEEPEST: usize = 256;

/// What kind of block it is.
#[derive(Debug)]
pub(super) enum Kind {
    List {
        /// The number of the next item, if items have numbers.
        next: Option<u32>,
        /// Whether it has items.
        used: bool,
    },
    Item,
    Quote,
    Heading,
    Table(Table),
}

/// A block that is not closed yet.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) kind: Kind,
    /// How many prefixes lines had before it.
    depth: usize,
}

impl Renderer {
    /// Ends the current line, as far as there are lines.
    pub(super) fn block_break(&mut self, by: Break) {
        if self.inline.cell {
            self.lines.space();
        } else {
            self.inline.interrupt(&mut self.lines);
            self.lines.separate(by);
        }
    }

    pub(super) fn push_open(&mut self, kind: Kind) {
        if self.open.len() < DEEPEST {
            let depth = self.lines.depth();
            self.open.push(Open { kind, depth });
        }
    }

    /// Begins a block whose lines have prefixes. In a cell of a table there are no lines.
    fn open_block(&mut self, kind: Kind, first: String, rest: &str) {
        if self.inline.cell || self.open.len() >= DEEPEST {
            return;
        }
        self.push_open(kind);
        if self.is_markdown() {
            self.lines.open(first, rest);
        }
    }

    /// Closes the nearest open block of a kind and all in it; says whether there is one. Blocks outside a table
    /// cannot be closed from its inside.
    pub(super) fn close_nearest(&mut self, wanted: impl Fn(&Kind) -> bool) -> bool {
        for at in (0..self.open.len()).rev() {
            let kind = &self.open[at].kind;
            if wanted(kind) {
                while self.open.len() > at {
                    self.close_last();
                }
                return true;
            }
            if matches!(kind, Kind::Table(_)) {
                return false;
            }
        }
        false
    }

    pub(super) fn close_last(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        if !self.inline.cell {
            self.inline.interrupt(&mut self.lines);
            self.lines.close(open.depth);
        }
        let by = match open.kind {
            Kind::List { .. } if self.in_list() => Break::Line,
            Kind::Item => Break::Line,
            _ => Break::Blank,
        };
        self.block_break(by);
    }

    /// Whether the innermost list is still open, not counting what is outside a table.
    fn in_list(&self) -> bool {
        let kinds = self.open.iter().rev().map(|open| &open.kind);
        kinds
            .take_while(|kind| !matches!(kind, Kind::Table(_)))
            .any(|kind| matches!(kind, Kind::List { .. }))
    }

    pub(super) fn start_heading(&mut self, level: u8) {
        if matches!(self.open.last().map(|open| &open.kind), Some(Kind::Heading)) {
            self.close_last();
        }
        self.block_break(Break::Blank);
        let marker = format!("{} ", "#".repeat(level.into()));
        self.open_block(Kind::Heading, marker, "");
    }

    pub(super) fn start_quote(&mut self) {
        self.block_break(Break::Blank);
        self.open_block(Kind::Quote, "> ".to_owned(), "> ");
    }

    pub(super) fn start_list(&mut self, ordered: bool, attributes: &Attributes) {
        self.block_break(if self.in_list() { Break::Line } else { Break::Blank });
        let next = ordered.then(|| attributes.number(Name::Start).unwrap_or(1));
        if !self.inline.cell {
            self.push_open(Kind::List { next, used: false });
        }
    }

    pub(super) fn start_item(&mut self) {
        self.close_item();
        self.block_break(Break::Line);
        let (mut marker, mut again) = ("- ".to_owned(), false);
        if let Some(Open {
            kind: Kind::List { next, used },
            ..
        }) = self.open.last_mut()
        {
            again = std::mem::replace(used, true);
            if let Some(number) = next {
                marker = format!("{number}. ");
                *number = number.saturating_add(1);
            }
        }
        if again && !self.inline.cell {
            self.lines.close_up();
        }
        let indent = " ".repeat(marker.len());
        self.open_block(Kind::Item, marker, &indent);
    }

    /// Closes the open item of the innermost list, if there is one.
    pub(super) fn close_item(&mut self) {
        let mut kinds = self.open.iter().rev().map(|open| &open.kind);
        let found = kinds.find(|kind| matches!(kind, Kind::Item | Kind::List { .. } | Kind::Table(_)));
        if matches!(found, Some(Kind::Item)) {
            self.close_nearest(|kind| matches!(kind, Kind::Item));
        }
    }
}
