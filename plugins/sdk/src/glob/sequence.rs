//! Matching a text step by step.

use super::class::Class;

/// One step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Literal(String),
    /// One character but `/`.
    Any,
    /// One character of a class.
    Class(Class),
    /// Any characters but `/`.
    Star,
    /// Any characters.
    Anything,
    /// Any number of directories, each with the `/` after it.
    Directories,
}

impl Step {
    /// How many bytes at the start of `rest` a step of fixed width takes. With `partial`, a
    /// literal may be cut short by the end of the text.
    fn width(&self, rest: &str, partial: bool) -> Option<usize> {
        let next = rest.chars().next();
        match self {
            Self::Literal(literal) if rest.starts_with(literal) => Some(literal.len()),
            Self::Literal(literal) => (partial && literal.starts_with(rest)).then_some(rest.len()),
            Self::Any => next.filter(|&char| char != '/').map(char::len_utf8),
            Self::Class(class) => next.filter(|&char| class.contains(char)).map(char::len_utf8),
            Self::Star | Self::Anything | Self::Directories => None,
        }
    }

    /// How many bytes more a step of open width takes, at least.
    fn stretch(&self, rest: &str) -> Option<usize> {
        let next = rest.chars().next();
        match self {
            Self::Star => next.filter(|&char| char != '/').map(char::len_utf8),
            Self::Anything => next.map(char::len_utf8),
            Self::Directories => rest.find('/').map(|slash| slash + 1),
            Self::Literal(_) | Self::Any | Self::Class(_) => None,
        }
    }
}

/// Steps, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    steps: Vec<Step>,
}

/// A step of open width, and where in the text it ends so far.
#[derive(Clone, Copy)]
struct Open {
    step: usize,
    end: usize,
}

impl Sequence {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// Whether all of `text` matches.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.run(text, false)
    }

    /// Whether `text` is the beginning of something that could match.
    pub(super) fn matches_start(&self, text: &str) -> bool {
        self.run(text, true)
    }

    /// Gives each step of open width as little as possible. When a step does not fit, only the
    /// latest `*` and the latest `**` need to be tried with more: whatever an earlier one could
    /// take instead, the later one can take as well, because a `*` ends with its name. So the
    /// work is bounded by a polynomial, whatever the pattern.
    fn run(&self, text: &str, partial: bool) -> bool {
        let (mut step, mut at) = (0, 0);
        let mut star: Option<Open> = None;
        let mut double: Option<Open> = None;
        loop {
            let rest = &text[at..];
            match self.steps.get(step) {
                _ if partial && rest.is_empty() => return true,
                None if rest.is_empty() => return true,
                None => {}
                Some(Step::Star) => {
                    star = Some(Open { step, end: at });
                    step += 1;
                    continue;
                }
                Some(Step::Anything | Step::Directories) => {
                    star = None;
                    double = Some(Open { step, end: at });
                    step += 1;
                    continue;
                }
                Some(fixed) => {
                    if let Some(width) = fixed.width(rest, partial) {
                        at += width;
                        step += 1;
                        continue;
                    }
                }
            }
            let Some(open) = self.stretched(star, text) else {
                star = None;
                let Some(open) = self.stretched(double, text) else {
                    return false;
                };
                double = Some(open);
                (step, at) = (open.step + 1, open.end);
                continue;
            };
            star = Some(open);
            (step, at) = (open.step + 1, open.end);
        }
    }

    fn stretched(&self, open: Option<Open>, text: &str) -> Option<Open> {
        let Open { step, end } = open?;
        let more = self.steps[step].stretch(&text[end..])?;
        Some(Open { step, end: end + more })
    }
}
