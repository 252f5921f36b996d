//! What recording and withdrawing a plan return.

use serde::{Serialize, Serializer};

/// A plan that is on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedPlan {
    /// The file, absolute.
    pub path: String,
    /// Its number, from 1.
    pub sequence: u64,
    /// What was written.
    pub outcome: PlanOutcome,
    /// The same in words, and what it changes for other calls.
    pub message: String,
    /// The agent that it is recorded for, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session that it is recorded for, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Whether the call changed nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_op: bool,
}

/// What recording a plan wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanOutcome {
    /// A new file.
    Recorded,
    /// The file of an earlier draft of the same turn.
    Updated,
    /// Nothing: exactly this plan is on record.
    Unchanged,
}

impl PlanOutcome {
    /// The name used in JSON, for example `recorded`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

impl Serialize for PlanOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A session whose plan is withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replanned {
    /// Where the withdrawn plan is now; absent if there was none to withdraw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived_path: Option<String>,
    /// Whether a plan counted as recorded for the session until now.
    pub plan_was_active: bool,
    /// The same in words, and what was left alone.
    pub message: String,
}
