//! The parser: one pass, no copy of what needs none.

use std::ops::Range;
use std::rc::Rc;

use super::{Problem, string};
use crate::value::{DEEPEST, Map, Text, Val};

/// Up to so many items an array is collected on a stack that all arrays share, so that its list
/// is allocated once and with exactly its size; longer ones grow on their own.
const SHORT: usize = 64;

/// From this length on, lists grow by a quarter instead of doubling: memory is what limits the
/// size of a document.
const LONG: usize = 64 * 1024;

pub(super) struct Parser<'t> {
    buffer: &'t Rc<String>,
    bytes: &'t [u8],
    start: usize,
    at: usize,
    items: Vec<Val>,
    fields: Vec<(Text, Val)>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(buffer: &'t Rc<String>, range: Range<usize>) -> Self {
        Self {
            buffer,
            bytes: &buffer.as_bytes()[..range.end],
            start: range.start,
            at: range.start,
            items: Vec::new(),
            fields: Vec::new(),
        }
    }

    pub(super) fn document(mut self) -> Result<Val, Problem> {
        if self.bytes[self.at..].starts_with("\u{feff}".as_bytes()) {
            return Err(self.problem("it starts with a byte order mark (U+FEFF), which JSON does not allow"));
        }
        self.skip_space();
        let value = self.value(0)?;
        self.skip_space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.problem(format!("{} after the document has ended", self.found()))),
        }
    }

    pub(super) fn problem(&self, message: impl Into<String>) -> Problem {
        self.problem_at(self.at, message)
    }

    fn problem_at(&self, at: usize, message: impl Into<String>) -> Problem {
        Problem {
            offset: at - self.start,
            message: message.into(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// What stands at the current position, for messages: a word or a character.
    fn found(&self) -> String {
        /// Bytes of a word that a message holds.
        const SHOWN: usize = 20;
        let rest = &self.buffer[self.at..self.bytes.len()];
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        match rest.chars().next() {
            None => "found the end of the text".to_owned(),
            Some(_) if word > 0 => format!("found `{}`", &rest[..rest.floor_char_boundary(word.min(SHOWN))]),
            Some(c) if c.is_control() => format!("found the character U+{:04X}", u32::from(c)),
            Some(c) => format!("found `{c}`"),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Val, Problem> {
        match self.peek() {
            Some(b'"') => self.string().map(Val::Str),
            Some(b'{') => self.nested(depth, Self::object),
            Some(b'[') => self.nested(depth, Self::array),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') if self.word(b"true") => Ok(Val::Bool(true)),
            Some(b'f') if self.word(b"false") => Ok(Val::Bool(false)),
            Some(b'n') if self.word(b"null") => Ok(Val::Null),
            Some(b'\'') => Err(self.problem("a value was expected, found `'`; strings stand in double quotes")),
            Some(b'N' | b'I') if self.special().is_some() => Err(self.not_a_number()),
            _ => Err(self.problem(format!("a value was expected, {}", self.found()))),
        }
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let follows = self.bytes[self.at..].starts_with(word);
        if follows {
            self.at += word.len();
        }
        follows
    }

    fn special(&self) -> Option<&'static str> {
        let rest = &self.bytes[self.at..];
        ["NaN", "Infinity"]
            .into_iter()
            .find(|word| rest.starts_with(word.as_bytes()))
    }

    fn not_a_number(&self) -> Problem {
        let word = self.special().unwrap_or_default();
        self.problem(format!("{word} is not JSON; null or a string could stand for it"))
    }

    fn nested(
        &mut self,
        depth: usize,
        parse: impl FnOnce(&mut Self, usize) -> Result<Val, Problem>,
    ) -> Result<Val, Problem> {
        if depth == DEEPEST {
            return Err(self.problem(format!("arrays and objects are nested more than {DEEPEST} deep")));
        }
        self.at += 1;
        self.skip_space();
        parse(self, depth + 1)
    }

    /// After an item: whether another follows.
    fn another(&mut self, close: u8) -> Result<bool, Problem> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_space();
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.problem(format!("`,` or `{}` was expected, {}", char::from(close), self.found()))),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Val, Problem> {
        if self.word(b"]") {
            return Ok(Val::array(Vec::new()));
        }
        let start = self.items.len();
        loop {
            let item = self.value(depth)?;
            self.items.push(item);
            if !self.another(b']')? {
                return Ok(Val::array(self.items.drain(start..).collect()));
            }
            if self.items.len() - start == SHORT {
                let items = self.items.drain(start..).collect();
                return self.long_array(items, depth);
            }
        }
    }

    fn long_array(&mut self, mut items: Vec<Val>, depth: usize) -> Result<Val, Problem> {
        loop {
            if items.len() == items.capacity() && items.len() >= LONG {
                items.reserve_exact(items.len() / 4);
            }
            let item = self.value(depth)?;
            items.push(item);
            if !self.another(b']')? {
                return Ok(Val::array(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Val, Problem> {
        if self.word(b"}") {
            return Ok(Val::object(Map::default()));
        }
        let start = self.fields.len();
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.problem(format!("a key in double quotes was expected, {}", self.found())));
            }
            let key = self.string()?;
            self.skip_space();
            if !self.word(b":") {
                return Err(self.problem(format!("`:` was expected, {}", self.found())));
            }
            self.skip_space();
            let value = self.value(depth)?;
            self.fields.push((key, value));
            if !self.another(b'}')? {
                return Ok(Val::object(Map::from_fields(self.fields.drain(start..))));
            }
        }
    }

    fn number(&mut self) -> Result<Val, Problem> {
        let start = self.at;
        self.word(b"-");
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            Some(b'I') if self.special().is_some() => return Err(self.not_a_number()),
            _ => return Err(self.problem(format!("a digit was expected, {}", self.found()))),
        }
        if self.word(b".") {
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Val::written(Text::part(self.buffer, start..self.at)))
    }

    fn digits(&mut self) -> Result<(), Problem> {
        let first = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == first {
            return Err(self.problem(format!("a digit was expected, {}", self.found())));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Text, Problem> {
        let start = self.at + 1;
        match string::end(self.bytes, start) {
            string::End::Plain(end) => {
                self.at = end + 1;
                Ok(Text::part(self.buffer, start..end))
            }
            string::End::Escaped(end) => {
                let decoded = string::decode(&self.buffer[start..end])
                    .map_err(|(at, message)| self.problem_at(start + at, message))?;
                self.at = end + 1;
                Ok(decoded.into())
            }
            string::End::Control(at) => {
                let message = format!("the character U+{:04X} must be escaped within a string", self.bytes[at]);
                Err(self.problem_at(at, message))
            }
            string::End::Missing => Err(self.problem_at(self.bytes.len(), "found the end of the text within a string")),
        }
    }
}
