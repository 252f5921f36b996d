//! The output: lines, what separates them, and what stands before each of them.

/// How deep quotes and lists are shown as such. What is nested deeper stands at this depth.
const DEEPEST: usize = 32;

/// What separates two pieces of text; a greater one takes the place of a lesser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    #[default]
    None,
    /// A new line in the same paragraph.
    Hard,
    /// A new line.
    Line,
    /// An empty line.
    Blank,
}

/// What stands before the lines of a quote, an item or a heading.
#[derive(Debug)]
struct Prefix {
    /// Before its first line, until that is there.
    first: Option<String>,
    /// Before its other lines.
    rest: String,
}

/// Lines that are written from their beginning to their end.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    prefixes: Vec<Prefix>,
    pending: Break,
    space: bool,
    /// Stands between two cells of a row that is one line of text.
    between_cells: Option<&'static str>,
    /// Where in `text` the content of the current line begins.
    content: usize,
    /// Whether a break within a paragraph has to be marked.
    marks_hard: bool,
}

impl Lines {
    pub(super) fn new(marks_hard: bool) -> Self {
        Self {
            marks_hard,
            ..Self::default()
        }
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Whether what is pushed next is the first on its line.
    pub(super) fn at_line_start(&self) -> bool {
        self.text.len() == self.content
    }

    /// Whether anything stands on the line that the next text would continue.
    pub(super) fn continues_line(&self) -> bool {
        self.pending == Break::None && !self.at_line_start()
    }

    /// Whether a word would be an exponent, or look like part of the number before it, as in `10` and `6`.
    pub(super) fn is_base_of(&self, word: &str) -> bool {
        let base = |char: char| char.is_alphanumeric() || char == ')';
        let exponent = |char: char| char.is_alphanumeric() || matches!(char, '-' | '\u{2212}');
        let glued = self.continues_line() && !self.space && self.between_cells.is_none();
        glued && self.text.ends_with(base) && word.starts_with(exponent)
    }

    /// White space: text that follows is apart from what is there.
    pub(super) fn space(&mut self) {
        self.space = true;
    }

    pub(super) fn no_space(&mut self) {
        self.space = false;
    }

    pub(super) fn has_space(&self) -> bool {
        self.space
    }

    /// The next text begins another cell of the same line, unless a break comes first.
    pub(super) fn cell(&mut self, separator: &'static str) {
        if self.continues_line() {
            self.between_cells = Some(separator);
        }
    }

    /// Whether what comes next is the first in a cell that continues a line.
    pub(super) fn begins_cell(&self) -> bool {
        self.between_cells.is_some()
    }

    /// The cell ends; if it is empty, nothing separates it.
    pub(super) fn end_cell(&mut self) {
        self.between_cells = None;
    }

    /// Text that follows is at least this far from what is there.
    pub(super) fn separate(&mut self, by: Break) {
        // What begins an item or a quote stands beside its marker.
        let fresh = self.prefixes.last().is_some_and(|prefix| prefix.first.is_some());
        let by = if fresh { by.min(Break::Line) } else { by };
        self.pending = self.pending.max(by);
        self.space = false;
        self.between_cells = None;
    }

    /// Text that follows is at most one line away.
    pub(super) fn close_up(&mut self) {
        self.pending = self.pending.min(Break::Line);
    }

    /// Whether a break that follows leaves a line empty.
    pub(super) fn is_paragraph_end(&self) -> bool {
        self.pending > Break::None
    }

    /// Begins something whose lines have these prefixes.
    pub(super) fn open(&mut self, first: String, rest: &str) {
        if self.prefixes.len() < DEEPEST {
            self.prefixes.push(Prefix {
                first: Some(first),
                rest: rest.to_owned(),
            });
        }
    }

    /// How many prefixes there are, for `close`.
    pub(super) fn depth(&self) -> usize {
        self.prefixes.len()
    }

    pub(super) fn close(&mut self, depth: usize) {
        self.prefixes.truncate(depth);
    }

    /// Writes what separates the text so far from the text that follows.
    pub(super) fn begin(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if self.text.is_empty() {
            self.begin_line();
        } else if pending == Break::None {
            if let Some(separator) = self.between_cells {
                self.text.push_str(separator);
            } else if self.space && !self.at_line_start() {
                self.text.push(' ');
            }
        } else {
            if pending == Break::Hard && self.marks_hard {
                self.text.push_str("  ");
            }
            self.text.push('\n');
            if pending == Break::Blank {
                self.blank_line();
            }
            self.begin_line();
        }
        self.space = false;
        self.between_cells = None;
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The text, to append to its last line.
    pub(super) fn line(&mut self) -> &mut String {
        &mut self.text
    }

    /// Appends lines that are kept as they are, each with its prefixes.
    pub(super) fn push_lines(&mut self, lines: &str) {
        for (number, line) in lines.split('\n').enumerate() {
            if number > 0 {
                self.text.push('\n');
                if line.is_empty() {
                    self.trimmed_prefixes();
                    self.content = self.text.len();
                } else {
                    self.begin_line();
                }
            }
            self.text.push_str(line);
        }
    }

    fn begin_line(&mut self) {
        for prefix in &mut self.prefixes {
            match prefix.first.take() {
                Some(first) => self.text.push_str(&first),
                None => self.text.push_str(&prefix.rest),
            }
        }
        self.content = self.text.len();
    }

    fn blank_line(&mut self) {
        self.trimmed_prefixes();
        self.text.push('\n');
    }

    /// The prefixes of a line without content: of what has begun before it.
    fn trimmed_prefixes(&mut self) {
        let start = self.text.len();
        for prefix in self.prefixes.iter().take_while(|prefix| prefix.first.is_none()) {
            self.text.push_str(&prefix.rest);
        }
        let end = self.text[start..].trim_end_matches(' ').len();
        self.text.truncate(start + end);
    }
}
