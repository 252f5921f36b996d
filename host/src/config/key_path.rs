//! The place of a value: `path_scope.allow_paths[0].access`.

use std::fmt;

/// One step from a value to a part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// A member of an object.
    Key(String),
    /// An element of a list.
    Index(usize),
}

/// The steps from the whole configuration to a value.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyPath(Vec<Step>);

impl KeyPath {
    /// A path of plain keys, written with dots.
    pub(super) fn of(dotted: &str) -> Self {
        Self(dotted.split('.').map(|key| Step::Key(key.to_owned())).collect())
    }

    pub(super) fn key(&self, key: &str) -> Self {
        self.with(Step::Key(key.to_owned()))
    }

    pub(super) fn index(&self, index: usize) -> Self {
        self.with(Step::Index(index))
    }

    fn with(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The first key; `None` for the whole.
    pub(super) fn section(&self) -> Option<&str> {
        match self.0.first() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }
    }

    pub(super) fn parent(&self) -> Option<Self> {
        let (_, rest) = self.0.split_last()?;
        Some(Self(rest.to_vec()))
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => {
                    if number > 0 {
                        f.write_str(".")?;
                    }
                    let bare = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
                    if !key.is_empty() && key.chars().all(bare) {
                        f.write_str(key)?;
                    } else {
                        write!(f, "{key:?}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::KeyPath;

    #[test]
    fn reads_as_it_is_written() {
        let path = KeyPath::of("path_scope.allow_paths").index(3).key("access");
        assert_eq!(path.to_string(), "path_scope.allow_paths[3].access");
        assert_eq!(KeyPath::of("a").key("x.y").to_string(), "a.\"x.y\"");
        assert_eq!(KeyPath::default().to_string(), "");
    }
}
