//! Redirections and the bodies of here-documents.

use super::cursor::{Failure, Parser, Pending, ends_word};
use super::syntax::Word;

/// The operators, longest first, and whether only bash has them.
const OPERATORS: [(&str, bool); 12] = [
    ("&>>", true),
    ("&>", true),
    ("<<<", true),
    ("<<-", false),
    ("<<", false),
    ("<&", false),
    ("<>", false),
    (">>", false),
    (">&", false),
    (">|", false),
    ("<", false),
    (">", false),
];

impl Parser<'_> {
    /// A redirection if one comes next: what it redirects to.
    pub(super) fn redirect(&mut self) -> Option<Word> {
        let start = self.at;
        self.descriptor();
        let bash = self.bash();
        if self.process_substitution_ahead() {
            self.at = start;
            return None;
        }
        let operator = OPERATORS
            .iter()
            .find(|(text, extension)| (bash || !extension) && self.eat_text(text));
        let Some((operator, _)) = operator else {
            self.at = start;
            return None;
        };
        self.skip_blanks();
        if self.peek().is_none_or(ends_word) && !self.process_substitution_ahead() {
            self.fail(Failure::Syntax("a redirection leads nowhere"));
            return Some(Word::default());
        }
        let target = self.word();
        if matches!(*operator, "<<" | "<<-") {
            self.pending.push(Pending {
                delimiter: target.text.clone(),
                strip_tabs: *operator == "<<-",
                expands: !target.traits.quoted,
            });
        }
        Some(target)
    }

    /// The number or `{name}` that may stand in front of an operator.
    fn descriptor(&mut self) {
        let start = self.at;
        if self.bash() && self.eat('{') {
            while self
                .peek()
                .is_some_and(|char| char.is_ascii_alphanumeric() || char == '_')
            {
                self.take();
            }
            if !self.eat('}') {
                self.at = start;
            }
        } else {
            while self.peek().is_some_and(|char| char.is_ascii_digit()) {
                self.take();
            }
        }
        if self.at > start && !matches!(self.peek(), Some('<' | '>')) {
            self.at = start;
        }
    }

    /// Reads the bodies that begin at this line.
    pub(super) fn read_documents(&mut self) {
        for document in std::mem::take(&mut self.pending) {
            let mut body = String::new();
            while let Some(line) = self.document_line(&document) {
                body.push_str(&line);
                body.push('\n');
            }
            if document.expands {
                self.document_body(&body);
            }
        }
    }

    /// The next line of a body, or none at its end.
    fn document_line(&mut self, document: &Pending) -> Option<String> {
        if self.rest().is_empty() {
            return None;
        }
        let mut line = String::new();
        loop {
            let part = self.rest().split('\n').next().unwrap_or("");
            self.at += part.len();
            line.push_str(if document.strip_tabs && line.is_empty() {
                part.trim_start_matches('\t')
            } else {
                part
            });
            let more = self.eat_line_end();
            let backslashes = line.len() - line.trim_end_matches('\\').len();
            if !document.expands || !more || backslashes.is_multiple_of(2) {
                break;
            }
            line.pop();
        }
        (line != document.delimiter).then_some(line)
    }

    fn eat_line_end(&mut self) -> bool {
        let found = self.raw() == Some('\n');
        if found {
            self.at += 1;
        }
        found
    }

    /// Finds what the expansions of a body run.
    fn document_body(&mut self, body: &str) {
        self.deeper(|outer| {
            let mut parser = Parser::new(body, outer.dialect, outer.depth);
            let mut word = Word::default();
            while let Some(char) = parser.take() {
                parser.double_quoted(char, &mut word);
            }
            outer.documents.append(&mut word.scripts);
            outer.documents.append(&mut parser.documents);
            if let Some(failure) = parser.failure {
                outer.fail(failure);
            }
        });
    }
}
