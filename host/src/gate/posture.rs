//! What the operator decided beforehand.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::decider::Decider;
use super::mode::Mode;
use super::rules::Policy;
use crate::scope::PathScope;
use crate::scope::web::UrlScope;

/// Everything of the configuration that decides calls. One value that never
/// changes: a reload puts another one in its place, and a call that has begun
/// keeps the one it began with.
#[derive(Clone)]
pub struct Posture {
    /// The permission mode.
    pub mode: Mode,
    /// The allow and deny rules.
    pub policy: Policy,
    /// The tenant's paths.
    pub scope: Arc<PathScope>,
    /// The tenant's URLs.
    pub urls: Arc<UrlScope>,
    /// The channels of alerts, in the operator's order.
    pub channels: Arc<[String]>,
    /// Tools that may send requests of their own, beside those for URLs in their arguments.
    pub networks: Arc<BTreeSet<String>>,
    /// Whether `yolo` and `acceptEdits` reach beyond the scope.
    pub unscoped: bool,
    /// Files that the host reads its own configuration from, or would.
    pub own_files: Arc<[String]>,
    /// Whether nothing is changed before a plan is recorded.
    pub plan_required: bool,
    /// Whether searches by shell are refused where there is a tool for them.
    pub search_gate: bool,
    /// How long a question waits, if not as long as whoever asks it says.
    pub prompt_timeout: Option<Duration>,
    /// The names of the registered tools.
    pub tools: Arc<BTreeSet<String>>,
    /// Where the value of a configuration key comes from.
    pub origins: Origins,
}

/// Looks up where the value of a configuration key comes from, for example
/// `permissions.mode` or `path_scope.deny[3]`; nothing for defaults.
#[derive(Clone, Default)]
pub struct Origins(Option<Arc<Lookup>>);

/// Finds where the value of a key comes from.
type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Origins {
    /// A lookup.
    pub fn new(of: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(of)))
    }

    /// Where this key's value comes from.
    pub fn of(&self, key: &str) -> Option<String> {
        self.0.as_ref().and_then(|of| of(key))
    }
}

impl fmt::Debug for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Origins")
    }
}

impl Posture {
    /// A decider that is a configuration key.
    pub(super) fn key(&self, id: &'static str, key: &str, text: &'static str) -> Decider {
        Decider {
            origin: self.origins.of(key),
            ..Decider::fixed(id, text)
        }
    }

    /// The pattern of `path_scope.deny` as what decided.
    pub(super) fn deny_pattern(&self, pattern: &str) -> Decider {
        let id = match self.scope.deny().number_of(pattern) {
            Some(number) => format!("path_scope.deny[{number}]"),
            None => "path_scope.deny".to_owned(),
        };
        Decider {
            origin: self.origins.of(&id),
            ..Decider::found(id, pattern.to_owned())
        }
    }
}
