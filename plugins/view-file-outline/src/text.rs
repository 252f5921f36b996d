//! Putting the text of a declaration together from pieces of the source.

use std::ops::Range;

/// The text of a declaration as it grows. Between the tokens of the source stand blanks and line
/// breaks; they are kept once, so that what is left out leaves no blank lines behind.
#[derive(Debug)]
pub(crate) struct Text<'source> {
    source: &'source str,
    /// Where the line starts on which the declaration starts.
    line: usize,
    /// Where the declaration starts, with what is attached to it.
    from: usize,
    /// Where the declaration starts.
    begin: usize,
    /// Up to where the source is dealt with.
    position: usize,
    /// Where the first token starts.
    start: Option<usize>,
    written: String,
    /// What stands between the last token and the next.
    gap: Gap,
}

#[derive(Debug, Default)]
struct Gap {
    /// The blanks before the first line break, or all.
    blanks: String,
    /// The blanks after the last line break, if there is one.
    indentation: Option<String>,
    /// Whether a comment or a body was left out here.
    hole: bool,
    /// Whether it was a body, so that a line break no longer means anything.
    joined: bool,
    /// Whether it was a body whose content follows as declarations of their own.
    members: bool,
}

impl<'source> Text<'source> {
    /// The text of a declaration that starts at the byte `start` of a line that starts at `line`.
    /// What is attached to it starts at `from`, on the same line, or is part of it.
    pub(crate) fn new(source: &'source str, line: usize, from: usize, start: usize) -> Self {
        Self {
            source,
            line,
            from,
            begin: start,
            position: start,
            start: None,
            written: String::new(),
            gap: Gap::default(),
        }
    }

    /// Takes over a piece of the source.
    pub(crate) fn token(&mut self, range: Range<usize>) {
        let token = &self.source[range.clone()];
        self.reach(range.start);
        if token.trim().is_empty() {
            self.between(token);
        } else {
            self.write(token, range.start);
        }
        self.position = self.position.max(range.end);
    }

    /// Writes something else in place of a piece of the source.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: &str) {
        self.reach(range.start);
        self.write(with, range.start);
        self.position = self.position.max(range.end);
    }

    /// Writes `…` in place of a piece of the source, on the line of what stands before it.
    pub(crate) fn shorten(&mut self, range: Range<usize>) {
        self.cut(range.start..range.start);
        self.replace(range, "…");
    }

    /// Leaves a piece out; what stands before and after it comes to stand on one line.
    pub(crate) fn cut(&mut self, range: Range<usize>) {
        self.reach(range.start);
        self.gap.hole = true;
        self.gap.joined = true;
        self.position = self.position.max(range.end);
    }

    /// Leaves a body out whose content is listed apart: `{…}` stands for it if more than a
    /// semicolon follows, as in `typedef struct {…} name;`.
    pub(crate) fn members(&mut self, range: Range<usize>) {
        self.cut(range);
        self.gap.members = true;
    }

    /// Leaves a comment out; line breaks around it stay.
    pub(crate) fn comment(&mut self, range: Range<usize>) {
        self.reach(range.start);
        self.gap.hole = true;
        // Some grammars count the line break at its end as part of a comment.
        if self.source[range.clone()].ends_with('\n') {
            self.between("\n");
        }
        self.position = self.position.max(range.end);
    }

    /// Leaves an attribute out, with the blanks that separate it from what it is attached to.
    pub(crate) fn attribute(&mut self, range: Range<usize>) {
        self.reach(range.start);
        self.gap.hole = true;
        let rest = &self.source[range.end..];
        let blanks = rest.len() - rest.trim_start().len();
        self.position = self.position.max(range.end + blanks);
    }

    /// The text, and where in the source its first token starts.
    pub(crate) fn finish(mut self) -> (String, usize) {
        self.written.truncate(self.written.trim_end().len());
        let start = self.start.unwrap_or(self.position);
        // Searched from its beginning only: a line can be as long as a file.
        let line = self.source[self.begin..start]
            .rfind('\n')
            .map_or(self.line, |end| self.begin + end + 1);
        // An attribute on the same line does not take the indentation away.
        let is_first = self.source[line..self.from.clamp(line, start)].trim().is_empty();
        let before = &self.source[line..start];
        let indentation = if is_first {
            &before[..before.len() - before.trim_start().len()]
        } else {
            ""
        };
        let mut text = indentation.to_owned();
        for (number, line) in self.written.split('\n').enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(line.trim_end());
        }
        (text, start)
    }

    /// Takes the source up to `start` as what stands between two tokens. A grammar need not have
    /// a token for every character, so it can be text as well.
    fn reach(&mut self, start: usize) {
        if self.position >= start {
            return;
        }
        let between = &self.source[self.position..start];
        if between.trim().is_empty() {
            self.between(between);
        } else {
            self.write(between, self.position);
        }
        self.position = start;
    }

    fn between(&mut self, blanks: &str) {
        if let Some((_, indentation)) = blanks.rsplit_once('\n') {
            self.gap.indentation = Some(indentation.to_owned());
        } else if let Some(indentation) = &mut self.gap.indentation {
            indentation.push_str(blanks);
        } else {
            self.gap.blanks.push_str(blanks);
        }
    }

    fn write(&mut self, token: &str, start: usize) {
        let gap = std::mem::take(&mut self.gap);
        if gap.members && token == ";" {
            return;
        }
        if self.start.is_none() {
            self.start = Some(start);
        } else if gap.members {
            self.written.push_str(" {…} ");
        } else if !gap.joined
            && let Some(indentation) = &gap.indentation
        {
            self.written.push('\n');
            self.written.push_str(indentation);
        } else if !gap.hole {
            self.written.push_str(&gap.blanks);
        } else if gap.has_blanks() && !matches!(token, ";" | "," | ")") {
            self.written.push(' ');
        }
        self.written.push_str(token);
    }
}

impl Gap {
    fn has_blanks(&self) -> bool {
        !self.blanks.is_empty() || self.indentation.is_some()
    }
}
