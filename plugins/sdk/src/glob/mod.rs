//! What lives here: glob patterns over names and relative paths, and the first of many matching paths. Pure functions.
//! What may call it: tools and the SDK itself, on any target.
//! What it must not touch: bindings, files, anything with an effect.

mod alternative;
mod class;
mod first;
mod lower;
mod parse;
mod sequence;
#[cfg(test)]
mod tests;

pub use first::FirstPaths;

use crate::Error;
use alternative::Alternative;

/// The longest pattern in bytes: the longest path that Linux takes.
pub const MAX_PATTERN: usize = 4096;

/// The most patterns that the braces of one pattern may stand for.
pub const MAX_ALTERNATIVES: usize = 256;

/// A glob pattern for files below a directory, matched character by character and case-sensitively.
///
/// Without `/` it is matched against the name of a file, at any depth; with `/` against the path
/// relative to the directory (FX-18).
///
/// | syntax | matches |
/// |---|---|
/// | `*` | any characters but `/`, also none; a leading dot is nothing special |
/// | `?` | one character but `/` |
/// | `**/` | any number of directories, also none |
/// | `/**` at the end | everything below |
/// | any other `**` | any characters, `/` too |
/// | `[a-z]`, `[!a]`, `[^a]` | one character of a class, or not of it; never `/` |
/// | `{a,b}` | either: the pattern stands for one pattern with `a` and one with `b` |
/// | `\` | the character after it as it stands |
///
/// ```
/// use toolgate_plugin::glob::Pattern;
///
/// let sources = Pattern::new("src/**/*.{rs,toml}").unwrap();
/// assert!(sources.matches("src/main.rs") && sources.matches("src/a/b/c.toml"));
/// assert!(!sources.matches("tests/main.rs"));
/// assert!(Pattern::new("*.rs").unwrap().matches("src/main.rs"));
/// ```
#[derive(Debug, Clone)]
pub struct Pattern {
    alternatives: Vec<Alternative>,
}

impl Pattern {
    /// Compiles a pattern. `./` in front does nothing but tie it to the directory.
    ///
    /// # Errors
    ///
    /// The pattern is malformed, too large, or could never match: because it is empty or absolute,
    /// ends in `/` or contains `..`. The message quotes it and says what would work.
    pub fn new(text: &str) -> Result<Self, Error> {
        compile(text).map_err(|problem| {
            Error::invalid_arguments(format!("the pattern `{}` is not valid: {problem}", quoted(text)))
        })
    }

    /// Whether the file at `path`, relative to the directory, matches.
    pub fn matches(&self, path: &str) -> bool {
        let name = path.rfind('/').map_or(path, |slash| &path[slash + 1..]);
        self.matches_entry(name, || path)
    }

    /// The same for a file of which the name is at hand, while its relative path costs something:
    /// `path` is called only if the name does not decide.
    pub fn matches_entry<P: AsRef<str>>(&self, name: &str, path: impl FnOnce() -> P) -> bool {
        let mut undecided = self.alternatives.iter().filter(|one| one.admits(name)).peekable();
        match undecided.peek() {
            None => false,
            Some(Alternative::Name(_)) => true,
            Some(_) => {
                let path = path();
                undecided.any(|one| one.matches(path.as_ref(), name))
            }
        }
    }

    /// Whether anything below `directory`, a relative path, could match. A walk need not enter a
    /// directory for which this is false.
    pub fn may_match_below(&self, directory: &str) -> bool {
        self.alternatives.iter().any(|one| one.may_match_below(directory))
    }
}

fn compile(text: &str) -> Result<Pattern, String> {
    if text.is_empty() {
        return Err("it is empty; `*` matches every name".to_owned());
    }
    if text.len() > MAX_PATTERN {
        return Err(format!(
            "it has {} bytes, more than the limit of {MAX_PATTERN}",
            text.len()
        ));
    }
    let alternatives = parse::alternatives(text)?;
    let alternatives = alternatives.into_iter().map(lower::lower).collect::<Result<_, _>>()?;
    Ok(Pattern { alternatives })
}

/// A pattern for a message, which need not carry all of a very long one.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
