//! Tables.
//!
//! A table whose first row has header cells becomes a Markdown table. Others often serve only to
//! place parts of a page: their rows become lines, and cells what these lines hold.

use super::attributes::{Attributes, Name};
use super::blocks::Kind;
use super::lines::Break;
use super::renderer::Renderer;

/// The most columns that one cell is taken to span.
const WIDEST: u32 = 32;

/// How a table is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    /// It has had no content so far, only empty cells.
    #[default]
    Undecided,
    /// As a Markdown table.
    Data,
    /// As lines and blocks.
    Layout,
    /// As words in a cell of another table.
    Flat,
}

/// A table that is not closed yet.
#[derive(Debug, Default)]
pub(super) struct Table {
    mode: Mode,
    in_head: bool,
    in_cell: bool,
    /// Columns that the open cell spans.
    span: u32,
    /// Cells of the open row; for an undecided table, empty ones.
    cells: u32,
    /// Whether its first row, and what marks that as the header, is written.
    has_header: bool,
}

impl Renderer {
    fn table(&mut self) -> Option<&mut Table> {
        self.open.iter_mut().rev().find_map(|open| match &mut open.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        })
    }

    pub(super) fn start_table(&mut self) {
        self.settle_table();
        let mode = if self.inline.cell {
            Mode::Flat
        } else if self.is_markdown() {
            Mode::Undecided
        } else {
            Mode::Layout
        };
        self.block_break(Break::Blank);
        self.push_open(Kind::Table(Table {
            mode,
            ..Table::default()
        }));
    }

    pub(super) fn end_table(&mut self) {
        self.end_row();
        self.close_nearest(|kind| matches!(kind, Kind::Table(_)));
    }

    /// Ends all tables.
    pub(super) fn end_tables(&mut self) {
        while self.table().is_some() {
            self.end_table();
        }
    }

    pub(super) fn start_table_head(&mut self) {
        self.end_row();
        if let Some(table) = self.table() {
            table.in_head = true;
        }
    }

    pub(super) fn end_table_head(&mut self) {
        self.end_row();
        if let Some(table) = self.table() {
            table.in_head = false;
        }
    }

    pub(super) fn start_row(&mut self) {
        self.end_row();
        self.block_break(Break::Line);
    }

    pub(super) fn end_row(&mut self) {
        self.end_cell();
        let Some(table) = self.table() else {
            return;
        };
        let cells = std::mem::take(&mut table.cells);
        if table.mode == Mode::Data && cells > 0 && !std::mem::replace(&mut table.has_header, true) {
            self.lines.separate(Break::Line);
            self.lines.begin();
            self.lines.push("|");
            (0..cells).for_each(|_| self.lines.push(" --- |"));
        }
        self.block_break(Break::Line);
    }

    pub(super) fn start_cell(&mut self, header: bool, attributes: &Attributes) {
        self.end_cell();
        let span = attributes.number(Name::Colspan).unwrap_or(1).clamp(1, WIDEST);
        let Some(table) = self.table() else {
            return self.block_break(Break::Line);
        };
        if table.mode == Mode::Undecided && (header || table.in_head) {
            table.mode = Mode::Data;
        }
        table.in_cell = true;
        table.span = span;
        let (mode, before) = (table.mode, table.cells);
        let by = if table.has_header { Break::Line } else { Break::Blank };
        table.cells = before.saturating_add(span);
        match mode {
            Mode::Undecided => {}
            Mode::Data => {
                if before == 0 || !self.lines.continues_line() {
                    self.block_break(by);
                    self.lines.begin();
                    self.lines.push("|");
                    (0..before).for_each(|_| self.lines.push(" |"));
                }
                self.inline.reset(&mut self.lines);
                self.inline.cell = true;
                self.lines.space();
            }
            Mode::Layout => {
                self.inline.reset(&mut self.lines);
                self.lines.cell(if self.is_markdown() { " | " } else { "\t" });
            }
            Mode::Flat => self.lines.space(),
        }
    }

    pub(super) fn end_cell(&mut self) {
        if self.table().is_none_or(|table| !table.in_cell) {
            return;
        }
        self.end_preformatted();
        let Some(table) = self.table() else {
            return;
        };
        table.in_cell = false;
        let (mode, span) = (table.mode, table.span);
        while !matches!(self.open.last().map(|open| &open.kind), None | Some(Kind::Table(_))) {
            self.close_last();
        }
        match mode {
            Mode::Data => {
                self.inline.reset(&mut self.lines);
                self.inline.cell = false;
                self.lines.no_space();
                self.lines.push(" |");
                (1..span).for_each(|_| self.lines.push(" |"));
            }
            Mode::Layout => {
                self.inline.reset(&mut self.lines);
                self.lines.end_cell();
            }
            Mode::Undecided | Mode::Flat => self.lines.space(),
        }
    }

    /// Content comes: a cell that is not empty, in a table that had no header so far.
    pub(super) fn settle_table(&mut self) {
        if let Some(table) = self.table()
            && table.mode == Mode::Undecided
            && table.in_cell
        {
            table.mode = Mode::Layout;
        }
    }
}
