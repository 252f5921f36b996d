//! Regular expressions: matching takes time linear in the text, so there is no look-around and
//! there are no back-references.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use jaq_core::box_iter::box_once;
use jaq_core::native::{bome, v};
use jaq_core::{Cv, ValXs};
use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;

use super::{Data, Native};
use crate::value::{Error, Map, Text, Val, error};

/// How many compiled expressions are kept; each may take some megabytes while it is used.
const CACHED: usize = 16;

pub(super) fn natives() -> Vec<Native> {
    // What is defined with one argument takes the flags from it, see `definitions.jq`.
    vec![
        ("test", v(2), |cv| {
            let matching = Matching::new(cv, false);
            bome(matching.map(|matching| Val::Bool(matching.regex.is_match(matching.text.as_str()))))
        }),
        ("match", v(2), |cv| {
            each(Matching::new(cv, false).map(|matching| matching.found(Found::as_object)))
        }),
        ("capture", v(2), |cv| {
            each(Matching::new(cv, false).map(|matching| matching.found(Found::named)))
        }),
        ("scan", v(2), |cv| {
            each(Matching::new(cv, true).map(|matching| matching.found(Found::scanned)))
        }),
        ("splits", v(2), |cv| {
            each(Matching::new(cv, true).map(|matching| matching.between()))
        }),
        ("split", v(2), |cv| {
            bome(Matching::new(cv, true).map(|matching| Val::array(matching.between())))
        }),
        ("_pieces", v(2), |cv| {
            bome(Matching::new(cv, false).map(|matching| matching.pieces()))
        }),
    ]
}

fn each<'a>(outputs: Result<Vec<Val>, Error>) -> ValXs<'a, Val> {
    match outputs {
        Ok(outputs) => Box::new(outputs.into_iter().map(Ok)),
        Err(wrong) => box_once(Err(wrong.into())),
    }
}

/// A text and what is looked for in it.
struct Matching {
    text: Text,
    regex: Rc<Regex>,
    global: bool,
    /// Whether empty matches count.
    empty: bool,
}

impl Matching {
    /// From an input, an expression and flags; both arguments may come as one array.
    fn new(mut cv: Cv<'_, Data>, global: bool) -> Result<Self, Error> {
        let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
        let (pattern, flags) = match (pattern, flags) {
            (Val::Arr(both), Val::Null) => {
                let argument = |at| both.get(at).cloned().unwrap_or_default();
                (argument(0), argument(1))
            }
            both => both,
        };
        let text = cv.1.expect_str("matched")?.clone();
        let pattern = pattern.expect_str("matched against, that is used as a regular expression,")?;
        let flags = match &flags {
            Val::Null => "",
            flags => flags.expect_str("used as flags of a regular expression")?.as_str(),
        };
        Ok(Self {
            text,
            regex: compiled(pattern.as_str(), flags)?,
            global: global || flags.contains('g'),
            empty: !flags.contains('n'),
        })
    }

    fn captures(&self) -> Vec<Captures> {
        let found = self.regex.captures_iter(self.text.as_str());
        let found = found.filter(|found| self.empty || found.get_match().is_some_and(|found| !found.is_empty()));
        found.take(if self.global { usize::MAX } else { 1 }).collect()
    }

    fn found(&self, show: fn(&Found) -> Val) -> Vec<Val> {
        let mut counter = CharCounter::default();
        let found = self.captures();
        found
            .iter()
            .map(|captures| show(&Found::new(&self.text, captures, &mut counter)))
            .collect()
    }

    /// The parts of the text before, between and after the matches.
    fn between(&self) -> Vec<Val> {
        let mut parts = Vec::new();
        let mut end = 0;
        for found in self.captures().iter().filter_map(Captures::get_match) {
            parts.push(Val::Str(self.text.slice(end..found.start())));
            end = found.end();
        }
        parts.push(Val::Str(self.text.slice(end..self.text.len())));
        parts
    }

    /// The same with what the groups captured in between.
    fn pieces(&self) -> Val {
        let mut pieces = Vec::new();
        let mut end = 0;
        let mut counter = CharCounter::default();
        for captures in &self.captures() {
            let Some(found) = captures.get_match() else { continue };
            pieces.push(Val::Str(self.text.slice(end..found.start())));
            pieces.push(Found::new(&self.text, captures, &mut counter).named());
            end = found.end();
        }
        pieces.push(Val::Str(self.text.slice(end..self.text.len())));
        Val::array(pieces)
    }
}

/// One match with its groups, in the order of the expression.
struct Found {
    whole: Group,
    groups: Vec<Group>,
}

struct Group {
    /// Offset in characters, and the text; nothing if the group took no part in the match.
    matched: Option<(usize, Text)>,
    name: Option<String>,
}

impl Found {
    fn new(text: &Text, captures: &Captures, counter: &mut CharCounter) -> Self {
        let names = captures.group_info().pattern_names(regex_automata::PatternID::ZERO);
        let mut groups: Vec<Group> = names
            .enumerate()
            .map(|(number, name)| Group {
                matched: captures.get_group(number).map(|span| {
                    (
                        counter.count(text.as_str(), span.start),
                        text.slice(span.start..span.end),
                    )
                }),
                name: name.map(str::to_owned),
            })
            .collect();
        // The expression as a whole is group 0.
        let whole = groups.remove(0);
        Self { whole, groups }
    }

    fn as_object(&self) -> Val {
        let captures = self.groups.iter().map(|group| {
            let mut fields = group.fields();
            fields.insert(Text::from("name"), group.name.as_deref().map_or(Val::Null, Val::str));
            Val::object(fields)
        });
        let captures = captures.collect();
        let mut fields = self.whole.fields();
        fields.insert(Text::from("captures"), captures);
        Val::object(fields)
    }

    /// What the named groups captured.
    fn named(&self) -> Val {
        let mut fields = Map::default();
        for group in &self.groups {
            if let Some(name) = &group.name {
                fields.insert(Text::from(name.as_str()), group.text());
            }
        }
        Val::object(fields)
    }

    /// What the groups captured, or the whole match if there are none.
    fn scanned(&self) -> Val {
        if self.groups.is_empty() {
            self.whole.text()
        } else {
            self.groups.iter().map(Group::text).collect()
        }
    }
}

impl Group {
    fn text(&self) -> Val {
        self.matched
            .as_ref()
            .map_or(Val::Null, |(_, text)| Val::Str(text.clone()))
    }

    fn fields(&self) -> Map {
        let (offset, length) = match &self.matched {
            Some((offset, text)) => (Val::count(*offset), text.as_str().chars().count()),
            None => (Val::Int(-1), 0),
        };
        let fields = [
            ("offset", offset),
            ("length", Val::count(length)),
            ("string", self.text()),
        ];
        Map::from_fields(fields.into_iter().map(|(key, value)| (Text::from(key), value)))
    }
}

/// Counts characters up to byte offsets, going on from the last one where it can.
#[derive(Default)]
struct CharCounter {
    bytes: usize,
    chars: usize,
}

impl CharCounter {
    fn count(&mut self, text: &str, offset: usize) -> usize {
        if offset < self.bytes {
            *self = Self::default();
        }
        self.chars += text[self.bytes..offset].chars().count();
        self.bytes = offset;
        self.chars
    }
}

fn compiled(pattern: &str, flags: &str) -> Result<Rc<Regex>, Error> {
    thread_local! {
        static COMPILED: RefCell<HashMap<(String, String), Rc<Regex>>> = RefCell::default();
    }
    let key = (pattern.to_owned(), flags.to_owned());
    if let Some(regex) = COMPILED.with_borrow(|cache| cache.get(&key).cloned()) {
        return Ok(regex);
    }
    let regex = Rc::new(compile(pattern, flags)?);
    COMPILED.with_borrow_mut(|cache| {
        if cache.len() >= CACHED {
            cache.clear();
        }
        cache.insert(key, Rc::clone(&regex));
    });
    Ok(regex)
}

fn compile(pattern: &str, flags: &str) -> Result<Regex, Error> {
    if let Some(unknown) = flags.chars().find(|flag| !"ginpsx".contains(*flag)) {
        return Err(error(format!(
            "{unknown:?} is not a flag of a regular expression; there are g, i, n, p, s and x"
        )));
    }
    let syntax = syntax::Config::new()
        .case_insensitive(flags.contains('i'))
        .ignore_whitespace(flags.contains('x'))
        .dot_matches_new_line(flags.contains('p'));
    Regex::builder().syntax(syntax).build(pattern).map_err(|wrong| {
        // The message of the parser shows the pattern over several lines, its last one says what is wrong.
        let message = wrong
            .syntax_error()
            .map_or_else(|| wrong.to_string(), ToString::to_string);
        let reason = message.lines().last().unwrap_or_default();
        error(format!("{pattern:?} is not a valid regular expression: {reason}"))
    })
}
