//! What is wrong with a configuration, and what is worth a word.

use std::fmt;

use serde_json::{Value, json};

use super::origin::Origin;

/// One thing that makes a configuration unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file and line, or the flag.
    pub origin: Origin,
    /// The key, such as `path_scope.allow_paths[0].access`; empty for the whole file.
    pub key: String,
    /// What is wrong, with which value, and what would work.
    pub reason: String,
}

impl Problem {
    /// Something wrong that has no place in a file.
    pub fn general(reason: &impl fmt::Display) -> Self {
        Self {
            origin: Origin::Default,
            key: String::new(),
            reason: reason.to_string(),
        }
    }

    /// `{"key", "reason", "origin"}`.
    pub fn to_json(&self) -> Value {
        json!({"key": self.key, "reason": self.reason, "origin": self.origin.to_json()})
    }
}

/// Something that is not wrong, and that the operator should know. Same shape as a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The file and line, or the flag.
    pub origin: Origin,
    /// The key; empty for the whole file.
    pub key: String,
    /// What was done about it.
    pub text: String,
}

/// All that is wrong, at once; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigErrors(pub(super) Vec<Problem>);

impl ConfigErrors {
    /// What is wrong, in the order of the layers.
    pub fn problems(&self) -> &[Problem] {
        &self.0
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &self.origin, &self.key, &self.reason)
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &self.origin, &self.key, &self.text)
    }
}

fn write(f: &mut fmt::Formatter<'_>, origin: &Origin, key: &str, text: &str) -> fmt::Result {
    if *origin != Origin::Default {
        write!(f, "{origin}: ")?;
    }
    if !key.is_empty() {
        write!(f, "{key}: ")?;
    }
    f.write_str(text)
}
