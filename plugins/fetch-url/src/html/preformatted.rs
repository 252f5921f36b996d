//! Text that keeps its white space.

use super::attributes::{Attributes, Name};
use super::escape::longest_run;
use super::lines::{Break, Lines};
use super::tags::Tag;

/// The longest name of a language, in bytes.
const LONGEST_LANGUAGE: usize = 32;

/// The classes by which pages tell the language of code (HTML Standard, 4.5.15, and GitHub's).
const LANGUAGE_CLASSES: [&str; 3] = ["language-", "lang-", "highlight-source-"];

/// An element with such text that is not closed yet.
#[derive(Debug, Default)]
pub(super) struct Preformatted {
    text: String,
    language: Option<String>,
}

impl Preformatted {
    pub(super) fn new(attributes: &Attributes) -> Self {
        Self {
            text: String::new(),
            language: language(attributes),
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// An element in it begins.
    pub(super) fn start(&mut self, tag: Tag, attributes: &Attributes) {
        match tag {
            Tag::Code if self.language.is_none() => self.language = language(attributes),
            Tag::Break => self.text.push('\n'),
            _ => self.boundary(tag),
        }
    }

    /// Elements that are lines of their own elsewhere are so here.
    pub(super) fn boundary(&mut self, tag: Tag) {
        let line = matches!(tag, Tag::Line | Tag::Block | Tag::Paragraph | Tag::Item | Tag::Row);
        if line && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    pub(super) fn write(self, lines: &mut Lines, markdown: bool) {
        // The line break after the start tag is none of the text (HTML Standard, 13.2.6.4.7).
        let text = self.text.strip_prefix('\n').unwrap_or(&self.text).trim_end();
        if text.is_empty() {
            return;
        }
        lines.separate(Break::Blank);
        lines.begin();
        if markdown {
            let fence = "`".repeat(3.max(longest_run(text, '`') + 1));
            let language = self.language.as_deref().unwrap_or_default();
            lines.push_lines(&format!("{fence}{language}\n{text}\n{fence}"));
        } else {
            lines.push_lines(text);
        }
        lines.separate(Break::Blank);
    }

    /// The text as it stands where lines cannot be kept.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

fn language(attributes: &Attributes) -> Option<String> {
    let classes = attributes.get(Name::Class)?.split_ascii_whitespace();
    let mut names = classes.filter_map(|class| LANGUAGE_CLASSES.iter().find_map(|prefix| class.strip_prefix(prefix)));
    let usual = |char: char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '#' | '.' | '_');
    names
        .find(|name| !name.is_empty() && name.len() <= LONGEST_LANGUAGE && name.chars().all(usual))
        .map(str::to_owned)
}
