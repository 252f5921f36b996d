//! What a shell computes inside words: parameters, arithmetic, commands.

use super::cursor::{Failure, MAX_BYTES, Parser};
use super::parse::parse;
use super::syntax::Word;

impl Parser<'_> {
    /// What follows a `$`.
    pub(super) fn dollar(&mut self, word: &mut Word, quoted: bool) {
        match self.peek() {
            Some('(') => self.expansion(word, |parser, word| parser.parenthesis(word)),
            Some('{') => self.expansion(word, |parser, word| parser.braces(word, quoted)),
            Some('[') if self.bash() => self.expansion(word, |parser, word| {
                parser.eat('[');
                parser.arithmetic(word, '[', ']');
            }),
            Some('\'') if self.bash() && !quoted => {
                self.take();
                self.ansi_quotes(word);
            }
            Some('"') if self.bash() && !quoted => {
                self.take();
                self.double_quotes(word);
            }
            Some(char) if char.is_ascii_alphabetic() || char == '_' => self.expansion(word, |parser, _| {
                while parser
                    .peek()
                    .is_some_and(|char| char.is_ascii_alphanumeric() || char == '_')
                {
                    parser.take();
                }
            }),
            Some(char) if char.is_ascii_digit() || "@*#?-$!".contains(char) => self.expansion(word, |parser, _| {
                parser.take();
            }),
            _ => word.text.push('$'),
        }
    }

    /// Parses an expansion, and keeps how it is written.
    fn expansion(&mut self, word: &mut Word, part: impl FnOnce(&mut Self, &mut Word)) {
        let start = self.at;
        let mut inner = Word::default();
        self.deeper(|parser| part(parser, &mut inner));
        word.traits.expands = true;
        word.scripts.append(&mut inner.scripts);
        word.text.push('$');
        word.text
            .push_str(&self.source.get(start..self.at).unwrap_or("").replace("\\\n", ""));
    }

    /// `(command)` or `((arithmetic))`.
    fn parenthesis(&mut self, word: &mut Word) {
        self.eat('(');
        if self.peek() == Some('(') && (!self.bash() || self.arithmetic_ahead()) {
            self.eat('(');
            self.arithmetic(word, '(', ')');
            if !self.eat(')') {
                self.fail(Failure::Syntax("a $(( is not closed"));
            }
        } else {
            self.substitution(word);
        }
    }

    /// The commands after a `(`, to its `)`.
    fn substitution(&mut self, word: &mut Word) {
        let outer = std::mem::take(&mut self.pending);
        let list = self.list();
        if !self.eat(')') {
            self.fail(Failure::Syntax("a $( is not closed"));
        }
        if !self.pending.is_empty() {
            self.fail(Failure::Syntax(
                "a here-document does not begin before its command ends",
            ));
        }
        self.pending = outer;
        word.scripts.push(list);
    }

    /// Whether `<(` or `>(` comes next and means a command.
    pub(super) fn process_substitution_ahead(&mut self) -> bool {
        self.bash() && (self.sees("<(") || self.sees(">("))
    }

    pub(super) fn process_substitution(&mut self, word: &mut Word) {
        let start = self.at;
        self.take();
        self.eat('(');
        let mut inner = Word::default();
        self.deeper(|parser| parser.substitution(&mut inner));
        word.traits.expands = true;
        word.scripts.append(&mut inner.scripts);
        word.text.push_str(self.source.get(start..self.at).unwrap_or(""));
    }

    /// `{parameter…}`, to the brace that closes it.
    fn braces(&mut self, word: &mut Word, quoted: bool) {
        self.eat('{');
        // bash 5.3 runs `${ command; }` and `${|command; }`.
        if self.bash() && matches!(self.peek(), Some(' ' | '\t' | '\n' | '|')) {
            self.eat('|');
            word.scripts.push(self.list());
            if !self.eat_text("}") {
                self.fail(Failure::Syntax("a ${ is not closed"));
            }
            return;
        }
        loop {
            match self.take() {
                Some('}') => return,
                Some('\\') => {
                    self.take_raw();
                }
                Some('"') => self.deeper(|parser| parser.double_quotes(word)),
                Some('\'') if !quoted => match self.rest().find('\'') {
                    Some(end) => self.at += end + 1,
                    None => self.fail(Failure::Syntax("a ' is not closed")),
                },
                Some('$') => self.dollar(word, quoted),
                Some('`') => self.backquotes(word, quoted),
                Some(_) => {}
                None => return self.fail(Failure::Syntax("a ${ is not closed")),
            }
        }
    }

    /// An arithmetic expression after its opening bracket, to the one that closes it.
    pub(super) fn arithmetic(&mut self, word: &mut Word, open: char, close: char) {
        let mut level = 0_usize;
        loop {
            match self.take() {
                Some(char) if char == open => level += 1,
                Some(char) if char == close && level == 0 => return,
                Some(char) if char == close => level -= 1,
                Some('\\') => {
                    self.take_raw();
                }
                Some('$') => self.dollar(word, true),
                Some('`') => self.backquotes(word, true),
                Some(_) => {}
                None => return self.fail(Failure::Syntax("an arithmetic expression is not closed")),
            }
        }
    }

    /// Whether the `(` that comes next closes just before another `)`: then
    /// bash takes the text for arithmetic, else for commands in brackets.
    pub(super) fn arithmetic_ahead(&mut self) -> bool {
        let closes = self.closes_twice();
        if self.looked_ahead > 16 * MAX_BYTES {
            self.fail(Failure::TooDeep);
        }
        closes
    }

    fn closes_twice(&mut self) -> bool {
        let mut level = 0_usize;
        let mut chars = self.rest().chars();
        let mut quote = None;
        while let Some(char) = chars.next() {
            self.looked_ahead += 1;
            match (char, quote) {
                ('\\', None | Some('"')) => {
                    chars.next();
                }
                (char, Some(open)) if char == open => quote = None,
                (_, Some(_)) => {}
                ('\'' | '"', None) => quote = Some(char),
                ('(', None) => level += 1,
                (')', None) if level <= 1 => return chars.next() == Some(')'),
                (')', None) => level -= 1,
                _ => {}
            }
        }
        false
    }

    /// What follows a backquote, to the next one. Its text loses one layer of
    /// backslashes and is then a text of its own.
    pub(super) fn backquotes(&mut self, word: &mut Word, quoted: bool) {
        word.traits.expands = true;
        let start = self.at;
        let mut text = String::new();
        loop {
            match self.take_raw() {
                Some('`') => break,
                Some('\\') => match self.raw() {
                    Some(char @ ('`' | '\\' | '$')) => {
                        self.take_raw();
                        text.push(char);
                    }
                    Some('"') if quoted => {
                        self.take_raw();
                        text.push('"');
                    }
                    _ => text.push('\\'),
                },
                Some(char) => text.push(char),
                None => return self.fail(Failure::Syntax("a ` is not closed")),
            }
        }
        word.text.push('`');
        word.text.push_str(self.source.get(start..self.at).unwrap_or(""));
        self.embedded(&text, word);
    }

    /// A text that is parsed on its own.
    fn embedded(&mut self, text: &str, word: &mut Word) {
        self.deeper(|parser| {
            let script = parse(text, parser.dialect, parser.depth);
            word.scripts.push(script.list);
            word.scripts.extend(script.documents);
            if let Some(failure) = script.failure {
                parser.fail(failure);
            }
        });
    }
}
