//! What the operator granted a session, and what they refused.

use std::collections::HashSet;
use std::sync::Mutex;

use super::prompt::Decision;

/// Grants of one session. They never outrank deny rules, the deny list, the
/// control plane or plan mode, because they are consulted after those.
#[derive(Debug, Default)]
pub struct Grants {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    exact: HashSet<Key>,
    tools: HashSet<String>,
    refused: HashSet<Key>,
}

/// A grant is literal: tool, operation and path as shown to the operator.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
struct Key {
    tool: String,
    operation: &'static str,
    path: String,
}

impl Grants {
    /// Whether an answer already covers this request.
    pub fn allow(&self, tool: &str, operation: &'static str, path: &str, in_scope: bool) -> bool {
        let state = self.lock();
        // A grant for a whole tool ends at the scope: outside it every path is asked for.
        (in_scope && state.tools.contains(tool)) || state.exact.contains(&key(tool, operation, path))
    }

    /// Whether the operator refused exactly this in the current turn.
    pub fn refused(&self, tool: &str, operation: &'static str, path: &str) -> bool {
        self.lock().refused.contains(&key(tool, operation, path))
    }

    /// Remembers an answer.
    pub fn record(&self, tool: &str, operation: &'static str, path: &str, decision: Decision) {
        let mut state = self.lock();
        match decision {
            Decision::Once => {}
            Decision::Deny => {
                state.refused.insert(key(tool, operation, path));
            }
            Decision::Session | Decision::SessionVerb | Decision::Always | Decision::AlwaysDirectory => {
                state.exact.insert(key(tool, operation, path));
            }
            Decision::SessionTool => {
                state.tools.insert(tool.to_owned());
                state.exact.insert(key(tool, operation, path));
            }
        }
    }

    /// Forgets refusals: what was refused in one turn may be asked again in the next.
    pub fn new_turn(&self) {
        self.lock().refused.clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is whole between any two statements, so a panic elsewhere leaves it usable.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn key(tool: &str, operation: &'static str, path: &str) -> Key {
    Key {
        tool: tool.to_owned(),
        operation,
        path: path.to_owned(),
    }
}
