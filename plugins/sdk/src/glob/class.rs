//! Character classes: `[a-z]`, `[!a]`, `[^a]`.

use std::iter::Peekable;
use std::str::Chars;

const OPEN: &str = "a `[` is not closed by `]`; write `\\[` for the character itself";

/// A set of characters, never with `/` in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    negated: bool,
    /// First and last character of each range.
    ranges: Vec<(char, char)>,
}

impl Class {
    pub(super) fn contains(&self, char: char) -> bool {
        let listed = self.ranges.iter().any(|&(low, high)| (low..=high).contains(&char));
        char != '/' && listed != self.negated
    }

    /// Reads a class whose `[` is already taken. A `]` in first place stands for itself, and so
    /// does a `-` at either end.
    pub(super) fn parse(chars: &mut Peekable<Chars<'_>>) -> Result<Self, String> {
        let negated = chars.next_if(|char| matches!(char, '!' | '^')).is_some();
        let mut ranges = Vec::new();
        while ranges.is_empty() || chars.peek() != Some(&']') {
            let low = member(chars)?;
            let high = if continues_as_range(chars) {
                chars.next();
                member(chars)?
            } else {
                low
            };
            if low > high {
                return Err(format!("the range `{low}-{high}` is empty; write `{high}-{low}`"));
            }
            ranges.push((low, high));
        }
        chars.next();
        Ok(Self { negated, ranges })
    }
}

fn member(chars: &mut Peekable<Chars<'_>>) -> Result<char, String> {
    let char = match chars.next() {
        Some('\\') => chars.next(),
        other => other,
    };
    char.ok_or_else(|| OPEN.to_owned())
}

fn continues_as_range(chars: &Peekable<Chars<'_>>) -> bool {
    let mut ahead = chars.clone();
    ahead.next() == Some('-') && ahead.next() != Some(']')
}
