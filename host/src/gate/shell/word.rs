//! Words: quotes, backslashes and what is left to the run time.

use super::cursor::{Failure, Parser, ends_word};
use super::syntax::Word;

impl Parser<'_> {
    /// A word of a command. The caller has seen that one begins.
    pub(super) fn word(&mut self) -> Word {
        let mut word = Word::default();
        let mut bracket = false;
        let mut brace = false;
        if self.peek() == Some('~') {
            word.traits.tilde = true;
        }
        while let Some(char) = self.peek() {
            let first = word.text.is_empty();
            if self.process_substitution_ahead() {
                self.process_substitution(&mut word);
                continue;
            }
            if ends_word(char) {
                break;
            }
            match char {
                '\\' | '\'' | '"' | '$' | '`' => {
                    self.quoted_or_expanded(&mut word);
                    continue;
                }
                '*' | '?' => {
                    word.traits.glob = true;
                    word.traits.open_start |= first;
                }
                '[' => {
                    bracket = true;
                    word.traits.open_start |= first;
                }
                ']' => word.traits.glob |= bracket,
                '{' => {
                    brace = true;
                    word.traits.open_start |= first;
                }
                ',' => word.traits.braces |= brace,
                '.' => word.traits.braces |= brace && word.text.ends_with('.'),
                _ => {}
            }
            word.text.push(char);
            self.take();
        }
        word.traits.open_start &= word.traits.glob || word.traits.braces;
        word
    }

    /// The word after `NAME=`, which may be empty.
    pub(super) fn value(&mut self) -> Word {
        if self.peek().is_none_or(ends_word) && !self.process_substitution_ahead() {
            Word::default()
        } else {
            self.word()
        }
    }

    fn quoted_or_expanded(&mut self, word: &mut Word) {
        match self.take() {
            Some('\\') => {
                word.traits.quoted = true;
                word.text.push(self.take_raw().unwrap_or('\\'));
            }
            Some('\'') => self.single_quotes(word),
            Some('"') => self.double_quotes(word),
            Some('`') => self.backquotes(word, false),
            Some('$') => self.dollar(word, false),
            _ => {}
        }
    }

    fn single_quotes(&mut self, word: &mut Word) {
        word.traits.quoted = true;
        match self.rest().find('\'') {
            Some(end) => {
                word.text.push_str(&self.rest()[..end]);
                self.at += end + 1;
            }
            None => self.fail(Failure::Syntax("a ' is not closed")),
        }
    }

    /// What follows `"`, to the next one.
    pub(super) fn double_quotes(&mut self, word: &mut Word) {
        word.traits.quoted = true;
        loop {
            match self.take() {
                Some('"') => return,
                Some(char) => self.double_quoted(char, word),
                None => return self.fail(Failure::Syntax("a \" is not closed")),
            }
        }
    }

    /// One character inside double quotes, taken already.
    pub(super) fn double_quoted(&mut self, char: char, word: &mut Word) {
        match char {
            '\\' => match self.raw() {
                Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                    self.take_raw();
                    word.text.push(escaped);
                }
                _ => word.text.push('\\'),
            },
            '$' => self.dollar(word, true),
            '`' => self.backquotes(word, true),
            char => word.text.push(char),
        }
    }

    /// What follows `$'`: the escapes of C.
    pub(super) fn ansi_quotes(&mut self, word: &mut Word) {
        word.traits.quoted = true;
        loop {
            match self.take_raw() {
                Some('\'') => return,
                Some('\\') => match self.take_raw() {
                    Some(char) => word.text.extend(self.ansi_escape(char)),
                    None => return self.fail(Failure::Syntax("a $' is not closed")),
                },
                Some(char) => word.text.push(char),
                None => return self.fail(Failure::Syntax("a $' is not closed")),
            }
        }
    }

    fn ansi_escape(&mut self, char: char) -> Option<char> {
        let code = match char {
            'a' => 7,
            'b' => 8,
            'e' | 'E' => 27,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            '0'..='7' => {
                self.at -= 1;
                self.digits(3, 8)
            }
            'x' => self.digits(2, 16),
            'u' => self.digits(4, 16),
            'U' => self.digits(8, 16),
            'c' => self.take_raw().map_or(0, |char| u32::from(char) & 0x1f),
            other => u32::from(other),
        };
        char::from_u32(code)
    }

    fn digits(&mut self, most: usize, radix: u32) -> u32 {
        let mut value = 0_u32;
        for _ in 0..most {
            let Some(digit) = self.raw().and_then(|char| char.to_digit(radix)) else {
                break;
            };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            self.take_raw();
        }
        value
    }
}
