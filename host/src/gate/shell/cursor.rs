//! Where the parser stands in the text, and how deep it may descend.

use super::syntax::{Dialect, List};

/// Longest command that is parsed, in bytes. Longer than any command that
/// somebody would check by eye, and the tree of the worst text still fits in
/// some 25 MiB.
pub const MAX_BYTES: usize = 64 << 10;

/// Constructs inside each other that are parsed. Bounds the native stack.
pub(super) const MAX_DEPTH: usize = 64;

/// Why a text could not be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// More than [`MAX_BYTES`].
    #[error("the command is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// More than the parser descends.
    #[error("the command nests too many constructs")]
    TooDeep,
    /// A shell would reject it too.
    #[error("{0}")]
    Syntax(&'static str),
}

/// A here-document whose body has not been reached.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) delimiter: String,
    pub(super) strip_tabs: bool,
    pub(super) expands: bool,
}

/// The parser. A failure is remembered and moves the cursor to the end, so
/// that what was understood before it is kept: a shell runs the first lines of
/// a text that breaks off later.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) source: &'a str,
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    pub(super) depth: usize,
    pub(super) failure: Option<Failure>,
    pub(super) pending: Vec<Pending>,
    /// What the bodies of here-documents run.
    pub(super) documents: Vec<List>,
    /// Characters looked at in advance, which keeps the whole parse linear.
    pub(super) looked_ahead: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: &'a str, dialect: Dialect, depth: usize) -> Self {
        let mut parser = Self {
            source,
            at: 0,
            dialect,
            depth,
            failure: None,
            pending: Vec::new(),
            documents: Vec::new(),
            looked_ahead: 0,
        };
        if source.len() > MAX_BYTES {
            parser.fail(Failure::TooLong);
        } else if source.contains('\0') {
            parser.fail(Failure::Syntax("it contains a NUL character"));
        }
        parser
    }

    pub(super) fn bash(&self) -> bool {
        self.dialect == Dialect::Bash
    }

    /// Remembers the first failure and ends the parse.
    pub(super) fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
        self.at = self.source.len();
    }

    /// Runs a part of the parse one construct deeper.
    pub(super) fn deeper<T: Default>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.fail(Failure::TooDeep);
            return T::default();
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    pub(super) fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or("")
    }

    /// The next character as it stands.
    pub(super) fn raw(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn take_raw(&mut self) -> Option<char> {
        let next = self.raw()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// The next character outside single quotes and comments: a backslash
    /// before a line break joins the lines wherever it stands.
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.rest().starts_with("\\\n") {
            self.at += 2;
        }
        self.raw()
    }

    pub(super) fn take(&mut self) -> Option<char> {
        self.peek()?;
        self.take_raw()
    }

    pub(super) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// Takes this text if it comes next, joined lines included.
    pub(super) fn eat_text(&mut self, expected: &str) -> bool {
        let start = self.at;
        let found = expected.chars().all(|char| self.eat(char));
        if !found {
            self.at = start;
        }
        found
    }

    pub(super) fn sees(&mut self, expected: &str) -> bool {
        let start = self.at;
        let found = self.eat_text(expected);
        self.at = start;
        found
    }

    /// Blanks and a comment, but no line break.
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        if self.peek() == Some('#') {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Blanks, comments and line breaks.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if !self.line_break() {
                return;
            }
        }
    }

    /// Takes a line break and the here-documents that begin after it.
    pub(super) fn line_break(&mut self) -> bool {
        let found = self.eat('\n');
        if found {
            self.read_documents();
        }
        found
    }

    /// The reserved word that comes next as a whole unquoted word.
    pub(super) fn reserved(&mut self) -> Option<&'static str> {
        const POSIX: [&str; 16] = [
            "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "{", "}", "!",
            "in",
        ];
        const BASH: [&str; 5] = ["[[", "function", "select", "time", "coproc"];
        let bash = if self.bash() { BASH.as_slice() } else { &[] };
        let first = self.peek()?;
        let mut words = POSIX.iter().chain(bash).copied();
        words.find(|word| word.starts_with(first) && self.sees_word(word))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.sees_word(word);
        if found {
            self.eat_text(word);
        }
        found
    }

    fn sees_word(&mut self, word: &str) -> bool {
        let start = self.at;
        let found = self.eat_text(word) && self.peek().is_none_or(ends_word);
        self.at = start;
        found
    }
}

/// Whether an unquoted character ends a word.
pub(super) fn ends_word(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}
