//! `session`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `session`: what is kept between the calls of a session.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SessionConfig {
    /// Where it is kept.
    pub store: StoreKind,
    /// Days after which a session that nobody uses is forgotten; 30 unless set.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub ttl_days: u32,
    /// What the agent is here for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TaskClass")]
    pub task_class: Option<TaskClass>,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            store: StoreKind::Disk,
            ttl_days: 30,
            task_class: None,
        }
    }
}

/// `session.store`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoreKind {
    /// A database in the state directory.
    #[default]
    Disk,
    /// This process; gone when it ends.
    Memory,
    /// Nowhere: tools that keep something are left out, and nothing is digested.
    Off,
}

/// `session.task_class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskClass {
    /// Finding a fault.
    Debug,
    /// Building something.
    Implement,
    /// Talking.
    Chat,
    /// Finding things out.
    Research,
    /// Judging a change.
    Review,
}
