//! What decided, and the words for it.

use std::borrow::Cow;

use crate::call::{CallError, ErrorKind};

/// What decided about a call. The same id stands in a refusal, in
/// `toolgate explain` and in the audit log.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Decider {
    /// For example `permissions.deny[2]`, `path_scope.deny`, `scope.outside`, `mode.ask`, `grant.session`.
    pub id: Cow<'static, str>,
    /// The rule as written, or what it says in words.
    pub text: Cow<'static, str>,
    /// The file and line, or the flag, that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

impl Decider {
    /// One that no configuration names.
    pub(super) const fn fixed(id: &'static str, text: &'static str) -> Self {
        Self {
            id: Cow::Borrowed(id),
            text: Cow::Borrowed(text),
            origin: None,
        }
    }

    /// One that is found only at the time of the call.
    pub(super) fn found(id: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
            origin: None,
        }
    }
}

/// A refusal: what decided, what the caller hears, and the one change of the
/// configuration after which the call would pass.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub(super) decider: Decider,
    pub(super) message: String,
    pub(super) change: Option<String>,
}

impl Refusal {
    pub(super) fn new(decider: Decider, message: String, change: Option<String>) -> Self {
        Self {
            decider,
            message,
            change,
        }
    }

    /// The error of the call.
    pub(super) fn error(&self) -> CallError {
        let message = format!("{} (rule {})", self.message, self.decider.id);
        CallError::new(ErrorKind::Denied, message).by_rule(self.decider.clone())
    }
}
