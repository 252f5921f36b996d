//! What the operator granted a session, and what they refused.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::shell;
use crate::catalog::Target;

/// Grants of one session and its subagents. They never outrank deny rules,
/// the deny list, the control plane, plan-first or plan mode, because they are
/// consulted after those.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    exact: HashSet<Exact>,
    wide: HashSet<Wide>,
    refused: HashSet<Exact>,
}

/// One thing, exactly as it was shown to the operator.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(super) enum Exact {
    /// A path outside the scope, for any tool, with as much below it as was shown.
    Outside {
        operation: &'static str,
        path: String,
        reach: Reach,
    },
    /// A tool's change to a path in scope.
    Change {
        tool: String,
        operation: &'static str,
        path: String,
    },
    /// What a tool presents: a command, a URL, a name with its arguments.
    Key { tool: String, key: String },
}

/// How much below a path was shown.
#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
pub(super) enum Reach {
    /// The entry, or a directory's listing.
    Entry,
    /// Everything below.
    Tree,
}

impl From<Target> for Reach {
    fn from(target: Target) -> Self {
        match target {
            Target::File | Target::Directory | Target::Url | Target::Channel => Self::Entry,
            Target::Tree => Self::Tree,
        }
    }
}

/// A kind of thing, as it was named to the operator.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(super) enum Wide {
    /// Every call of a tool, as far as the scope goes.
    Tool(String),
    /// A tool's operation on anything in one directory outside the scope.
    Directory {
        tool: String,
        operation: &'static str,
        directory: String,
    },
    /// Plain commands of one verb.
    Verb(String),
}

impl Grants {
    /// Whether an answer already covers exactly this.
    pub(super) fn exactly(&self, exact: &Exact) -> bool {
        let state = self.lock();
        state.exact.contains(exact)
            || match exact {
                Exact::Outside {
                    operation,
                    path,
                    reach: Reach::Entry,
                } => state.exact.contains(&Exact::Outside {
                    operation,
                    path: path.clone(),
                    reach: Reach::Tree,
                }),
                _ => false,
            }
    }

    /// Whether the whole tool is granted.
    pub(super) fn tool(&self, tool: &str) -> bool {
        self.lock()
            .wide
            .iter()
            .any(|wide| matches!(wide, Wide::Tool(granted) if granted == tool))
    }

    /// Whether a tool's operation is granted in the directory that holds this
    /// path, or in one above it.
    pub(super) fn directory(&self, tool: &str, operation: &str, path: &str) -> bool {
        self.lock().wide.iter().any(|wide| {
            matches!(wide, Wide::Directory { tool: granted, operation: what, directory }
                if granted == tool && *what == operation && within(directory, path))
        })
    }

    /// Whether a verb is granted that covers this command.
    pub(super) fn verb(&self, command: &str) -> bool {
        let state = self.lock();
        let mut verbs = state.wide.iter();
        verbs.any(|wide| matches!(wide, Wide::Verb(verb) if shell::covers(verb, command)))
    }

    /// Whether the operator refused exactly this in the current turn.
    pub(super) fn refused(&self, exact: &Exact) -> bool {
        self.lock().refused.contains(exact)
    }

    /// Remembers one thing.
    pub(super) fn grant(&self, exact: Exact) {
        let mut state = self.lock();
        state.refused.remove(&exact);
        state.exact.insert(exact);
    }

    /// Remembers a kind of thing.
    pub(super) fn grant_wide(&self, wide: Wide) {
        self.lock().wide.insert(wide);
    }

    /// Remembers a refusal until the turn is over.
    pub(super) fn refuse(&self, exact: Exact) {
        self.lock().refused.insert(exact);
    }

    /// Forgets refusals: what was refused in one turn may be asked again in the next.
    pub(crate) fn new_turn(&self) {
        self.lock().refused.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole between any two statements, so a panic elsewhere leaves it usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a path is a directory or lies below it.
pub(super) fn within(directory: &str, path: &str) -> bool {
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || directory == "/")
}
