//! What stands within lines: words, emphasis, links, code, images.

use super::escape::{self, Place};
use super::lines::Lines;

/// What surrounds text in Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Strong,
    Emphasis,
    Strike,
    Link,
}

impl Mark {
    /// What begins and, but for a link, ends it.
    fn sign(self) -> &'static str {
        match self {
            Self::Strong => "**",
            Self::Emphasis => "*",
            Self::Strike => "~~",
            Self::Link => "[",
        }
    }
}

/// The marks around text.
///
/// A mark is written with the first word that it is around, and ended where the text goes on
/// without it, so there are none around nothing or beside white space; tags that overlap become
/// marks that nest.
#[derive(Debug, Default)]
pub(super) struct Inline {
    /// Whether marks are written at all.
    markdown: bool,
    /// Whether the text stands in a cell of a table.
    pub(super) cell: bool,
    /// The marks that the next text is to have, outermost first.
    wanted: Vec<Mark>,
    /// The marks that have been begun in the output, outermost first.
    written: Vec<Mark>,
    /// Open tags for each mark, in the order of [`Mark`].
    tags: [u32; 4],
    /// Where the open link leads.
    link: Option<String>,
    /// Whether the next word begins a superscript.
    superscript: bool,
    /// Open tags of code.
    code_tags: u32,
    /// Code that is still to be written.
    code: String,
}

impl Inline {
    pub(super) fn new(markdown: bool) -> Self {
        Self {
            markdown,
            ..Self::default()
        }
    }

    pub(super) fn begin_mark(&mut self, mark: Mark) {
        let tags = &mut self.tags[mark as usize];
        *tags = tags.saturating_add(1);
        if self.markdown && !self.wanted.contains(&mark) {
            self.wanted.push(mark);
        }
    }

    pub(super) fn end_mark(&mut self, mark: Mark) {
        let tags = &mut self.tags[mark as usize];
        *tags = tags.saturating_sub(1);
        if *tags == 0 {
            self.wanted.retain(|wanted| *wanted != mark);
        }
    }

    pub(super) fn begin_link(&mut self, lines: &mut Lines, url: Option<String>) {
        self.end_link(lines);
        if self.markdown && url.is_some() {
            self.link = url;
            self.wanted.push(Mark::Link);
        }
    }

    pub(super) fn end_link(&mut self, lines: &mut Lines) {
        self.write_code(lines);
        if self.link.is_some() {
            self.wanted.retain(|mark| *mark != Mark::Link);
            self.end_unwanted(lines);
            self.link = None;
        }
    }

    pub(super) fn begin_code(&mut self, lines: &mut Lines) {
        if lines.has_space() {
            self.write_code(lines);
        }
        self.code_tags = self.code_tags.saturating_add(1);
    }

    pub(super) fn end_code(&mut self) {
        self.code_tags = self.code_tags.saturating_sub(1);
    }

    pub(super) fn begin_superscript(&mut self) {
        self.superscript = true;
    }

    pub(super) fn end_superscript(&mut self) {
        self.superscript = false;
    }

    /// Writes text without white space.
    pub(super) fn word(&mut self, lines: &mut Lines, word: &str) {
        if std::mem::take(&mut self.superscript) && self.code_tags == 0 && lines.is_base_of(word) {
            self.end_unwanted(lines);
            lines.push("^");
        }
        if !self.markdown {
            lines.begin();
            lines.push(word);
        } else if self.code_tags == 0 {
            self.begin(lines);
            let place = self.place(lines);
            escape::word(lines.line(), word, place);
        } else {
            if self.code.is_empty() {
                self.begin(lines);
            } else if lines.has_space() {
                self.code.push(' ');
                lines.no_space();
            }
            self.code.push_str(word);
        }
    }

    /// Writes an image; without a URL only what it shows.
    pub(super) fn image(&mut self, lines: &mut Lines, alt: &str, url: Option<&str>) {
        let mut words = alt.split_whitespace();
        let Some(url) = url.filter(|_| self.markdown) else {
            words.for_each(|word| {
                self.word(lines, word);
                lines.space();
            });
            return;
        };
        self.begin(lines);
        let place = Place {
            line_start: false,
            ..self.place(lines)
        };
        let line = lines.line();
        line.push_str("![");
        if let Some(first) = words.next() {
            escape::word(line, first, place);
        }
        for word in words {
            line.push(' ');
            escape::word(line, word, place);
        }
        line.push_str("](");
        escape::destination(line, url);
        line.push(')');
    }

    /// Ends all marks in the output, because a block ends. Those that are still open go on in the next one, except a
    /// link, which then has its text.
    pub(super) fn interrupt(&mut self, lines: &mut Lines) {
        self.write_code(lines);
        if self.written.contains(&Mark::Link) {
            self.wanted.retain(|mark| *mark != Mark::Link);
        }
        self.end_written(lines, 0);
        if !self.wanted.contains(&Mark::Link) {
            self.link = None;
        }
    }

    /// Ends all marks for good.
    pub(super) fn reset(&mut self, lines: &mut Lines) {
        self.interrupt(lines);
        *self = Self {
            cell: self.cell,
            ..Self::new(self.markdown)
        };
    }

    /// Writes code that has been held back.
    pub(super) fn write_code(&mut self, lines: &mut Lines) {
        if !self.code.is_empty() {
            escape::code(lines.line(), &self.code, self.cell);
            self.code.clear();
        }
    }

    fn place(&self, lines: &Lines) -> Place {
        Place {
            line_start: lines.at_line_start(),
            cell: self.cell,
        }
    }

    /// Brings the output to where text with the wanted marks can follow.
    fn begin(&mut self, lines: &mut Lines) {
        self.write_code(lines);
        self.end_unwanted(lines);
        lines.begin();
        for mark in &self.wanted[self.written.len()..] {
            let line = lines.line();
            if *mark == Mark::Link && line.ends_with('!') {
                // Otherwise the link would be an image.
                line.pop();
                line.push_str("\\!");
            }
            line.push_str(mark.sign());
        }
        self.written.clone_from(&self.wanted);
    }

    fn end_unwanted(&mut self, lines: &mut Lines) {
        self.write_code(lines);
        let pairs = self.written.iter().zip(&self.wanted);
        let common = pairs.take_while(|(written, wanted)| written == wanted).count();
        self.end_written(lines, common);
    }

    fn end_written(&mut self, lines: &mut Lines, kept: usize) {
        for mark in self.written.drain(kept..).rev() {
            let line = lines.line();
            match (mark, &self.link) {
                (Mark::Link, Some(url)) => {
                    line.push_str("](");
                    escape::destination(line, url);
                    line.push(')');
                }
                (Mark::Link, None) => line.push(']'),
                _ => line.push_str(mark.sign()),
            }
        }
    }
}
