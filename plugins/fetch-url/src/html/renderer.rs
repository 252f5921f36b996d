//! What each element does to the output.

use super::Style;
use super::attributes::{Attributes, Name};
use super::blocks::{Kind, Open};
use super::inline::{Inline, Mark};
use super::lines::{Break, Lines};
use super::links::Base;
use super::preformatted::Preformatted;
use super::tags::Tag;

/// The output and what is open in it. Any order of tags is fine.
#[derive(Debug)]
pub(super) struct Renderer {
    style: Style,
    base: Base,
    pub(super) lines: Lines,
    pub(super) inline: Inline,
    pub(super) open: Vec<Open>,
    preformatted: Option<Preformatted>,
}

/// White space that browsers run together, and the space that only forbids a line break.
fn is_space(char: char) -> bool {
    char.is_ascii_whitespace() || char == '\u{a0}'
}

impl Renderer {
    pub(super) fn new(style: Style, base: Base) -> Self {
        let markdown = style == Style::Markdown;
        Self {
            style,
            base,
            lines: Lines::new(markdown),
            inline: Inline::new(markdown),
            open: Vec::new(),
            preformatted: None,
        }
    }

    pub(super) fn is_markdown(&self) -> bool {
        self.style == Style::Markdown
    }

    /// Bytes of output so far.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Ends the document.
    pub(super) fn finish(mut self) -> String {
        self.end_preformatted();
        self.end_tables();
        while !self.open.is_empty() {
            self.close_last();
        }
        self.inline.reset(&mut self.lines);
        self.lines.into_text()
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(preformatted) = &mut self.preformatted {
            preformatted.push(text);
            return;
        }
        let mut rest = text;
        loop {
            let word = rest.trim_start_matches(is_space);
            if word.len() < rest.len() {
                self.lines.space();
            }
            if word.is_empty() {
                break;
            }
            let end = word.find(is_space).unwrap_or(word.len());
            self.settle_table();
            self.inline.word(&mut self.lines, &word[..end]);
            rest = &word[end..];
        }
    }

    pub(super) fn start(&mut self, tag: Tag, attributes: &Attributes) {
        if let Some(preformatted) = &mut self.preformatted {
            preformatted.start(tag, attributes);
            return;
        }
        match tag {
            Tag::Line | Tag::Block | Tag::Paragraph => self.boundary(tag),
            Tag::Heading(level) => self.start_heading(level),
            Tag::List { ordered } => self.start_list(ordered, attributes),
            Tag::Item => self.start_item(),
            Tag::Quote => self.start_quote(),
            Tag::Preformatted => {
                self.block_break(Break::Blank);
                self.preformatted = Some(Preformatted::new(attributes));
            }
            Tag::Code => self.inline.begin_code(&mut self.lines),
            Tag::Strong => self.inline.begin_mark(Mark::Strong),
            Tag::Emphasis => self.inline.begin_mark(Mark::Emphasis),
            Tag::Strike => self.inline.begin_mark(Mark::Strike),
            Tag::Quotation => self.text("\u{201c}"),
            Tag::Link => {
                let url = attributes.get(Name::Href).and_then(|href| self.base.resolve(href));
                self.inline.begin_link(&mut self.lines, url);
            }
            Tag::Superscript => self.inline.begin_superscript(),
            Tag::Image => self.image(attributes),
            Tag::Break => self.line_break(),
            Tag::Rule => self.rule(),
            Tag::Table => self.start_table(),
            Tag::TableHead => self.start_table_head(),
            Tag::Row => self.start_row(),
            Tag::Cell { header } => self.start_cell(header, attributes),
            Tag::Base => {
                if let Some(href) = attributes.get(Name::Href) {
                    self.base.set(href);
                }
            }
            Tag::Title => {}
        }
    }

    pub(super) fn end(&mut self, tag: Tag) {
        if let Some(preformatted) = &mut self.preformatted {
            let outer = matches!(tag, Tag::Preformatted | Tag::Table | Tag::Cell { .. } | Tag::Quote);
            if !outer {
                return preformatted.boundary(tag);
            }
            self.end_preformatted();
        }
        match tag {
            Tag::Line | Tag::Block | Tag::Paragraph => self.boundary(tag),
            Tag::Heading(_) => {
                self.close_nearest(|kind| matches!(kind, Kind::Heading));
                self.block_break(Break::Blank);
            }
            Tag::List { .. } => {
                self.close_nearest(|kind| matches!(kind, Kind::List { .. }));
            }
            Tag::Item => self.close_item(),
            Tag::Quote => {
                self.close_nearest(|kind| matches!(kind, Kind::Quote));
            }
            Tag::Code => self.inline.end_code(),
            Tag::Strong => self.inline.end_mark(Mark::Strong),
            Tag::Emphasis => self.inline.end_mark(Mark::Emphasis),
            Tag::Strike => self.inline.end_mark(Mark::Strike),
            Tag::Quotation => self.text("\u{201d}"),
            Tag::Link => self.inline.end_link(&mut self.lines),
            Tag::Break => self.line_break(),
            Tag::Table => self.end_table(),
            Tag::TableHead => self.end_table_head(),
            Tag::Row => self.end_row(),
            Tag::Cell { .. } => self.end_cell(),
            Tag::Superscript => self.inline.end_superscript(),
            Tag::Preformatted | Tag::Image | Tag::Rule | Tag::Base | Tag::Title => {}
        }
    }

    /// A plain block begins or ends. At the start of a cell it does not end the line of the row.
    fn boundary(&mut self, tag: Tag) {
        // Markdown may join the lines of a paragraph, so there blocks need an empty line between them.
        let by = match tag {
            Tag::Line => Break::Line,
            Tag::Block if !self.is_markdown() => Break::Line,
            _ => Break::Blank,
        };
        if !self.lines.begins_cell() {
            self.block_break(by);
        }
    }

    fn image(&mut self, attributes: &Attributes) {
        let url = attributes.get(Name::Src).and_then(|src| self.base.resolve(src));
        let alt = attributes.get(Name::Alt).unwrap_or_default();
        if url.is_some() || !alt.trim().is_empty() {
            self.settle_table();
            self.inline.image(&mut self.lines, alt, url.as_deref());
        }
    }

    fn line_break(&mut self) {
        let in_heading = matches!(self.open.last().map(|open| &open.kind), Some(Kind::Heading));
        if self.inline.cell || in_heading {
            self.lines.space();
            return;
        }
        self.inline.write_code(&mut self.lines);
        if self.lines.is_paragraph_end() {
            self.block_break(Break::Blank);
        } else {
            self.lines.separate(Break::Hard);
        }
    }

    fn rule(&mut self) {
        self.block_break(Break::Blank);
        if self.is_markdown() && !self.inline.cell {
            self.lines.begin();
            self.lines.push("---");
            self.block_break(Break::Blank);
        }
    }

    pub(super) fn end_preformatted(&mut self) {
        let Some(preformatted) = self.preformatted.take() else {
            return;
        };
        if self.inline.cell {
            self.inline.begin_code(&mut self.lines);
            self.text(&preformatted.into_text());
            self.inline.end_code();
            self.lines.space();
        } else {
            self.settle_table();
            let markdown = self.is_markdown();
            preformatted.write(&mut self.lines, markdown);
        }
    }
}
