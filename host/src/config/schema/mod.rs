//! The keys, their types and their defaults: one file per section, and the published JSON Schema.
//! Read by everything that needs a setting; filled by `load` and `layers` only.
//! Must not touch: files, layers, trust. What a value may be is said here, once, for the types and for the schema.

mod agent;
mod alerts;
mod audit;
mod limits;
mod network;
mod output;
mod permissions;
mod published;
mod scope;
mod session;
mod tools;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use agent::{
    AgentConfig, Hook, HooksConfig, ParentPosture, Safety, SearchGate, SubagentBudgets, SubagentConfig, Watchdog,
};
pub use alerts::{AlertAuth, AlertTarget, AlertTemplate, AlertsConfig};
pub use audit::{AuditConfig, OnFailure, Sync as AuditSync};
pub use limits::Limits;
pub(crate) use network::OF_CONNECTION;
pub use network::UrlScopeConfig;
pub use output::{CapsConfig, ToolOutput};
pub use permissions::{AllowBundle, Permissions, PlanMode};
pub use published::schema;
pub use scope::{AllowPath, Hardlinks, PathScopeConfig};
pub use session::{SessionConfig, StoreKind, TaskClass};
pub use tools::{CallPeerConfig, SpawnAgentConfig, ToolsConfig, Toolset, WaitConfig};

/// The whole configuration. Every key is optional.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Format version; absent, 0 and 1 mean the same.
    pub version: u32,
    /// What may happen without asking, with asking, and never.
    pub permissions: Permissions,
    /// Which paths exist for the tools.
    pub path_scope: PathScopeConfig,
    /// Which hosts the tools may reach.
    pub url_scope: UrlScopeConfig,
    /// How much a result may hold.
    pub tool_output: ToolOutput,
    /// Which tools there are, and how some of them behave.
    pub tools: ToolsConfig,
    /// What one call may use.
    pub limits: Limits,
    /// What is kept between calls.
    pub session: SessionConfig,
    /// The log of calls.
    pub audit: AuditConfig,
    /// Postures that hold whatever the mode.
    pub safety: Safety,
    /// Where alerts go.
    pub alerts: AlertsConfig,
    /// Budgets of the agent that uses the tools.
    pub agent: AgentConfig,
    /// Commands of the operator that run at events.
    pub hooks: HooksConfig,
    /// Agents that this one may start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subagents: Vec<SubagentConfig>,
    /// Directories with further instructions and skills; each must exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub content_roots: Vec<String>,
}
