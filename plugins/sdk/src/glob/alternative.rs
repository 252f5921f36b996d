//! One pattern without braces.

use super::sequence::{Sequence, Step};

/// One of the patterns that a pattern with braces stands for.
#[derive(Debug, Clone)]
pub(super) enum Alternative {
    /// The name decides, at any depth.
    Name(Name),
    /// The directories, with the `/` after each, and the name.
    Path(Sequence, Name),
    /// The whole path, because a `**` within the last name reaches across names.
    Whole(Sequence),
}

impl Alternative {
    /// Whether a file of this name can match at all.
    pub(super) fn admits(&self, name: &str) -> bool {
        match self {
            Self::Name(pattern) | Self::Path(_, pattern) => pattern.matches(name),
            Self::Whole(_) => true,
        }
    }

    /// Whether a file at `path`, whose name is admitted, matches.
    pub(super) fn matches(&self, path: &str, name: &str) -> bool {
        match self {
            Self::Name(_) => true,
            Self::Path(directories, _) => path.strip_suffix(name).is_some_and(|above| directories.matches(above)),
            Self::Whole(pattern) => pattern.matches(path),
        }
    }

    pub(super) fn may_match_below(&self, directory: &str) -> bool {
        let (Self::Path(pattern, _) | Self::Whole(pattern)) = self else {
            return true;
        };
        pattern.matches_start(&format!("{directory}/"))
    }
}

/// A pattern for a name. Most are no more than a literal or one `*`, which a walk over many
/// thousand names should not pay more for than it must.
#[derive(Debug, Clone)]
pub(super) enum Name {
    Literal(String),
    /// A literal, one `*`, a literal; either may be empty.
    Around(String, String),
    Steps(Sequence),
}

impl Name {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        match steps.as_slice() {
            [Step::Literal(name)] => Self::Literal(name.clone()),
            [Step::Star] => Self::Around(String::new(), String::new()),
            [Step::Star, Step::Literal(end)] => Self::Around(String::new(), end.clone()),
            [Step::Literal(start), Step::Star] => Self::Around(start.clone(), String::new()),
            [Step::Literal(start), Step::Star, Step::Literal(end)] => Self::Around(start.clone(), end.clone()),
            _ => Self::Steps(Sequence::new(steps)),
        }
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Literal(literal) => literal == name,
            Self::Around(start, end) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
            Self::Steps(pattern) => pattern.matches(name),
        }
    }
}
