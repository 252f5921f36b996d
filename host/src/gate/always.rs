//! Grants that outlive a session.

use std::sync::{Arc, PoisonError, RwLock};

use super::decider::Decider;
use super::grants::within;
use super::rules::{Policy, escape};
use crate::scope::Access;

/// Where grants are kept for later processes.
pub trait GrantStore: Send + Sync {
    /// Keeps a rule of `permissions.allow`.
    ///
    /// # Errors
    /// Why it cannot be kept; nothing is kept then.
    fn allow(&self, rule: &str) -> Result<(), String>;

    /// Keeps an entry of `path_scope.allow_paths`, united with what stands there for the same path.
    ///
    /// # Errors
    /// As for [`Self::allow`].
    fn allow_path(&self, pattern: &str, access: Access) -> Result<(), String>;
}

/// One grant to keep: literal, and no wider than it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lasting {
    /// A rule that matches one key of one tool.
    Rule(String),
    /// One path, or a directory with everything in it.
    Path {
        path: String,
        subtree: bool,
        access: Access,
    },
}

impl Lasting {
    /// The rule for exactly this key.
    pub(super) fn rule(tool: &str, key: &str) -> Self {
        Self::Rule(format!("{tool}:{}", escape(key)))
    }

    /// As it stands in the configuration.
    pub(super) fn pattern(&self) -> String {
        match self {
            Self::Rule(rule) => rule.clone(),
            Self::Path { path, subtree, .. } => {
                // The characters of a glob have no escape in path patterns that all file systems share;
                // those grants last as long as the process.
                if *subtree { format!("{path}/...") } else { path.clone() }
            }
        }
    }

    /// Hands it to the store.
    pub(super) fn keep(&self, store: &dyn GrantStore) -> Result<(), String> {
        match self {
            Self::Rule(rule) => store.allow(rule),
            Self::Path { path, access, .. } => {
                if path.contains(['*', '?', '[', '\\']) {
                    return Err("its name holds characters that patterns give a meaning to".to_owned());
                }
                store.allow_path(&self.pattern(), *access)
            }
        }
    }
}

/// Grants that were given while this process runs: for the whole host where
/// they were kept, otherwise for one session.
#[derive(Debug, Default)]
pub struct Always {
    state: RwLock<Arc<State>>,
}

#[derive(Debug, Default, Clone)]
struct State {
    rules: Policy,
    paths: Vec<(String, bool, Access)>,
}

impl Always {
    /// Adds a grant.
    pub(super) fn add(&self, lasting: &Lasting) -> Result<(), String> {
        let mut slot = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let mut state = State::clone(&slot);
        match lasting {
            Lasting::Rule(rule) => state
                .rules
                .add_allow(rule, "grant.always".to_owned(), "/")
                .map_err(|error| error.to_string())?,
            Lasting::Path { path, subtree, access } => state.paths.push((path.clone(), *subtree, *access)),
        }
        *slot = Arc::new(state);
        Ok(())
    }

    /// The grant for a tool's key, if any.
    pub(super) fn allows(&self, tool: &str, key: &str) -> Option<Decider> {
        self.state().rules.allows(tool, key).map(super::rules::Rule::decider)
    }

    /// The grant for a path outside the scope, if any.
    pub(super) fn path(&self, path: &str, tree: bool, writes: bool) -> Option<Decider> {
        let state = self.state();
        let mut paths = state.paths.iter();
        paths
            .find(|(granted, subtree, access)| {
                let reached = if *subtree {
                    within(granted, path)
                } else {
                    granted == path && !tree
                };
                reached && if writes { access.write } else { access.read }
            })
            .map(|(granted, subtree, _)| {
                let below = if *subtree { "/..." } else { "" };
                Decider::found("grant.always", format!("{granted}{below}"))
            })
    }

    fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}
