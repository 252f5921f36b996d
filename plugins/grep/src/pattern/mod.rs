//! What lives here: the regular expression of a call, from RE2 text to something that searches.
//! What may call it: the search.
//! What it must not touch: files.

mod class;
mod dialect;
mod lines;
mod literal;
mod pair;

use std::ops::Range;

use regex_automata::Input;
use regex_automata::meta::{Cache, Config, Regex};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;
use toolgate_plugin::Error;

/// The most memory, in bytes, that a compiled pattern may take. Nested repetitions can ask for
/// any amount.
const SIZE_LIMIT: usize = 16 * 1024 * 1024;

/// A compiled pattern with its scratch memory.
///
/// Running an engine once per line is slow, so whole buffers are searched for lines that may
/// match, with a variant of the pattern whose matches never leave a line. A candidate is then
/// looked at by itself.
pub(crate) struct Matcher {
    /// Finds candidates where every match holds a literal, faster than the variant does.
    literal: Option<pair::Pair>,
    buffer: Searcher,
    /// The pattern as given. Absent if the variant gives the same answer on a single line.
    line: Option<Searcher>,
}

struct Searcher {
    regex: Regex,
    cache: Cache,
}

/// Compiles a pattern.
pub(crate) fn compile(pattern: &str) -> Result<Matcher, Error> {
    let invalid = |reason: &dyn std::fmt::Display| {
        Error::invalid_arguments(format!("pattern `{pattern}` is not valid: {reason}"))
    };
    if pattern.is_empty() {
        return Err(Error::invalid_arguments(
            "pattern is empty; give a regular expression, for example `.` for every line with text",
        ));
    }
    let translated = dialect::translate(pattern).map_err(|reason| invalid(&reason))?;
    let hir = ParserBuilder::new()
        .utf8(false)
        .build()
        .parse(&translated)
        .map_err(|error| invalid(&reason(&error)))?;
    let searcher = |hir: &Hir| Searcher::new(hir).map_err(|reason| invalid(&reason));
    Ok(Matcher {
        literal: literal::required(&hir),
        buffer: searcher(&lines::within_lines(&hir))?,
        line: if lines::depends_on_line_ends(&hir) {
            Some(searcher(&hir)?)
        } else {
            None
        },
    })
}

impl Matcher {
    /// A position in the first line, not before the one at `from`, that may match. `from` is the
    /// start of a line. Every line between the two does not match.
    pub(crate) fn candidate(&mut self, block: &[u8], from: usize) -> Option<usize> {
        if let Some(literal) = &self.literal {
            return literal.find(block, from);
        }
        let Searcher { regex, cache } = &mut self.buffer;
        let input = Input::new(block).range(from..).earliest(true);
        regex.search_half_with(cache, &input).map(|end| end.offset())
    }

    /// The leftmost match in `line[start..end]`. What lies outside that range is not matched, but
    /// assertions see it.
    pub(crate) fn find(&mut self, line: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
        let Searcher { regex, cache } = self.line.as_mut().unwrap_or(&mut self.buffer);
        let input = Input::new(line).range(start.min(end)..end);
        regex.search_with(cache, &input).map(|found| found.range())
    }
}

impl Searcher {
    fn new(hir: &Hir) -> Result<Self, String> {
        let config = Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT));
        let regex = Regex::builder()
            .configure(config)
            .build_from_hir(hir)
            .map_err(|error| match error.size_limit() {
                Some(_) => "it is too large when compiled; use smaller repetition counts".to_owned(),
                None => error.to_string(),
            })?;
        Ok(Self {
            cache: regex.create_cache(),
            regex,
        })
    }
}

/// Only what is wrong: positions would refer to the translated pattern.
fn reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
