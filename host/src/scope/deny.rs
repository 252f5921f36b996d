//! The deny list: patterns that remove paths from every scope, now and for files yet to come.

use regex::{RegexSet, RegexSetBuilder};

use super::builder::{absolute_pattern, spellings};
use super::fold::{Case, below};
use super::glob::{Literal, WILD, translate};
use super::lexical::normalise;
use super::path_scope::{ScopeError, join};

/// Compiled deny patterns. A match is hereditary: below a denied directory
/// everything is denied.
#[derive(Debug, Default)]
pub struct DenyList {
    /// The patterns as written, by number.
    texts: Vec<String>,
    /// Whole subtrees by absolute path.
    subtrees: Vec<(Literal, usize)>,
    /// Globs over absolute paths.
    anchored: Globs,
    /// Globs over paths relative to a scope root.
    floating: Globs,
}

/// A set of globs, matched in one pass, and the pattern number of each.
#[derive(Debug, Default)]
struct Globs {
    set: RegexSet,
    /// The same for folded spellings; matches whatever `set` does.
    folded: RegexSet,
    numbers: Vec<usize>,
}

impl Globs {
    fn build(globs: Vec<Glob>) -> Result<Self, ScopeError> {
        let compile = |case: Case| {
            RegexSetBuilder::new(globs.iter().map(|glob| match case {
                Case::Exact => &glob.exact,
                Case::Folded => &glob.folded,
            }))
            .dot_matches_new_line(true)
            .case_insensitive(case == Case::Folded)
            .size_limit(64 << 20)
            .build()
            .map_err(|error| ScopeError::pattern("path_scope.deny", "", error.to_string()))
        };
        Ok(Self {
            set: compile(Case::Exact)?,
            folded: compile(Case::Folded)?,
            numbers: globs.iter().map(|glob| glob.number).collect(),
        })
    }

    fn first(&self, path: &str, case: Case) -> Option<usize> {
        let set = match case {
            Case::Exact => &self.set,
            Case::Folded => &self.folded,
        };
        if self.numbers.is_empty() || !set.is_match(path) {
            return None;
        }
        set.matches(path).iter().next().map(|hit| self.numbers[hit])
    }
}

/// One glob of a set, as regular expressions.
struct Glob {
    exact: String,
    folded: String,
    number: usize,
}

impl Glob {
    /// `before` is what may stand in front of the glob.
    fn new(before: &str, glob: &str, number: usize) -> Result<Self, String> {
        let hereditary = |case| Ok::<_, String>(format!("^{before}(?:{})(?:/.*)?$", translate(glob, case)?));
        Ok(Self {
            exact: hereditary(Case::Exact)?,
            folded: hereditary(Case::Folded)?,
            number,
        })
    }
}

impl DenyList {
    /// Compiles patterns. Three forms exist: absolute (`/etc/app/...`, `~/x`),
    /// relative to the project (`./secrets/...`), and floating: a pattern that
    /// starts with `**/`, or has no `/` at all, holds at any depth of any root.
    ///
    /// # Errors
    /// Names the pattern and what is wrong with it.
    pub fn compile(patterns: &[String], project: &str, home: Option<&str>) -> Result<Self, ScopeError> {
        let mut list = Self::default();
        let (mut anchored, mut floating) = (Vec::new(), Vec::new());
        for (number, text) in patterns.iter().enumerate() {
            list.texts.push(text.clone());
            let bad = |reason: String| ScopeError::pattern("path_scope.deny", text, reason);
            let bare = text.trim_end_matches('/');
            if bare.is_empty() {
                return Err(bad("it would deny everything".to_owned()));
            }
            if let Some(core) = floating_core(bare) {
                // Only normalised paths are compared with it, so it must be normal too.
                let core = normalise("/", None, &format!("/{core}")).map_err(|error| bad(error.to_string()))?;
                let core = core.strip_suffix("/...").unwrap_or(&core).trim_start_matches('/');
                if core.is_empty() {
                    return Err(bad("it names nothing below a root".to_owned()));
                }
                floating.push(Glob::new("(?:[^/]+/)*", core, number).map_err(bad)?);
                continue;
            }
            let absolute = absolute_pattern(bare, project, home).map_err(bad)?;
            for spelling in spellings(&absolute) {
                let top = spelling.strip_suffix("/...").unwrap_or(&spelling);
                if !top.contains(WILD) {
                    list.subtrees.push((Literal::new(top.to_owned()), number));
                    continue;
                }
                anchored.push(Glob::new("", top, number).map_err(bad)?);
            }
        }
        list.anchored = Globs::build(anchored)?;
        list.floating = Globs::build(floating)?;
        Ok(list)
    }

    /// The number of a pattern in the list, as written.
    pub fn number_of(&self, text: &str) -> Option<usize> {
        self.texts.iter().position(|pattern| pattern == text)
    }

    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The literal patterns, which name one object each.
    pub(super) fn literals(&self) -> impl Iterator<Item = &str> {
        self.subtrees.iter().map(|(literal, _)| literal.path.as_str())
    }

    /// The pattern that denies this path, if any. `root` is the scope root,
    /// `relative` the normalised path below it, folded if `case` says so.
    pub(super) fn denies(&self, root: &str, relative: &str, case: Case) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        // The root itself has no name here, so no floating pattern speaks of it.
        let floating = (!relative.is_empty())
            .then(|| self.floating.first(relative, case))
            .flatten();
        let number = floating.or_else(|| {
            if self.subtrees.is_empty() && self.anchored.numbers.is_empty() {
                return None;
            }
            let absolute = join(root, relative);
            self.subtrees
                .iter()
                .find(|(top, _)| top.holds(&absolute, case))
                .map(|(_, number)| *number)
                .or_else(|| self.anchored.first(&absolute, case))
        })?;
        Some(&self.texts[number])
    }

    /// Whether moving this directory could change what is denied below it.
    /// Floating patterns of one name follow the new path and need no check;
    /// any other pattern that may speak of something below refuses the move.
    pub(super) fn may_deny_below(&self, root: &str, relative: &str, case: Case) -> bool {
        if self.is_empty() {
            return false;
        }
        let at = join(root, relative);
        let touches = |top: &str| below(&at, top, case) || below(top, &at, case);
        self.subtrees.iter().any(|(top, _)| touches(top.spelling(case)))
            || self.texts.iter().any(|text| {
                let bare = text.trim_end_matches('/');
                match floating_core(bare) {
                    Some(core) => {
                        let core = core.strip_suffix("/...").unwrap_or(core);
                        core.contains('/') || core.contains("**")
                    }
                    // Anchored globs: their literal part would have to be expanded to compare; refusing is safe.
                    None => bare.contains(WILD),
                }
            })
    }
}

/// What a floating pattern says of names at any depth; `None` for anchored ones.
fn floating_core(bare: &str) -> Option<&str> {
    match bare.strip_prefix("**/") {
        Some(core) => Some(core),
        None if !bare.contains('/') && !bare.starts_with('~') && bare != "." => Some(bare),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(patterns: &[&str]) -> DenyList {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        DenyList::compile(&patterns, "/w/p", None).unwrap()
    }

    #[test]
    fn floating_patterns_are_made_normal() {
        for pattern in ["**//k", "**/./k", "**/a/../k", "**/k/.", "**/../k"] {
            let list = compile(&[pattern]);
            assert_eq!(list.denies("/w/p", "b/k", Case::Exact), Some(pattern));
            assert_eq!(list.denies("/w/p", "b/kk", Case::Exact), None, "{pattern}");
        }
        for pattern in ["..", "**/..", "**/a/..", "**/."] {
            let error = DenyList::compile(&[pattern.to_owned()], "/w/p", None).unwrap_err();
            assert!(error.to_string().contains(pattern), "{error}");
        }
    }

    #[test]
    fn what_a_move_could_free_stays() {
        for pattern in ["a**b", "**/a/b", "**/{a/b,c}", "./ax/b", "./*/b"] {
            assert!(
                compile(&[pattern]).may_deny_below("/w/p", "ax", Case::Exact),
                "{pattern}"
            );
        }
        assert!(!compile(&[".env", "**/*.pem", "**/k/..."]).may_deny_below("/w/p", "ax", Case::Exact));
    }
}
