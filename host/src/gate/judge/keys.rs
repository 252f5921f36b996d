//! What tools present that is neither a path nor a command: a URL, a channel, a peer, a tool of another server.

use super::{Judge, Judgement, Wanted};
use crate::gate::always::Lasting;
use crate::gate::decider::Refusal;
use crate::gate::grants::Exact;
use crate::gate::mode::Mode;
use crate::gate::prompt::PromptKind;
use crate::gate::verdict;

/// Longest key that becomes a rule of the configuration, in bytes.
const LONGEST_RULE: usize = 4096;
/// Longest key that a grant keeps as it is, in bytes; of longer ones it keeps a digest.
const LONGEST_KEY: usize = 256;

/// A tool of a set that is not this host's own.
pub(in crate::gate) struct Named<'a> {
    /// The set, which is the tool's name for rules: `mcp`, `skill`, `spawn_agent`.
    pub(in crate::gate) namespace: &'a str,
    pub(in crate::gate) tool: &'a str,
    /// The tool and its whole arguments, canonical: what rules match and what a grant covers.
    pub(in crate::gate) key: &'a str,
    /// Whether it only reads, by its own word or the operator's.
    pub(in crate::gate) read_only: bool,
}

impl Judge<'_> {
    /// A tool of this host with a key.
    pub(in crate::gate) fn key(&self, tool: &str, key: &str) -> Judgement {
        self.keyed(tool, tool.to_owned(), key, self.plan_first(tool, false))
    }

    /// A tool of another set.
    pub(in crate::gate) fn named(&self, named: &Named<'_>) -> Judgement {
        // Skills are text to read, and reading must not wait for the plan that it informs.
        let exempt = named.read_only || named.namespace == "skill";
        let waits = if exempt {
            None
        } else {
            self.plan_first(named.namespace, false)
        };
        let granted = format!("{}/{}", named.namespace, named.tool);
        self.keyed(named.namespace, granted, named.key, waits)
    }

    /// Deny rules, what else refuses it, plan mode, and what nothing prohibits.
    pub(super) fn keyed(&self, tool: &str, granted: String, key: &str, refused: Option<Refusal>) -> Judgement {
        if let Some(refusal) = self.denied(tool, key).or(refused) {
            return Judgement::Refuse(refusal);
        }
        if self.mode == Mode::Plan {
            return Judgement::Refuse(verdict::in_plan_mode(tool, "call", key, self.by_mode()));
        }
        self.permitted(Wanted {
            kind: PromptKind::Generic,
            tool,
            operation: "call",
            key,
            exact: Exact::Key {
                tool: granted.clone(),
                key: remembered(key),
            },
            whole: granted,
            lasting: (key.len() <= LONGEST_RULE).then(|| Lasting::rule(tool, key)),
        })
    }
}

/// A key as a grant remembers it: all of it counts, however long.
fn remembered(key: &str) -> String {
    if key.len() <= LONGEST_KEY {
        return key.to_owned();
    }
    format!("blake3:{}", blake3::hash(key.as_bytes()).to_hex())
}
