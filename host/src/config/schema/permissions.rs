//! `permissions`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

use crate::gate::Mode;

/// `permissions`: what may happen without asking, with asking, and never.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Permissions {
    /// The permission mode; `ask` unless set.
    #[serde(serialize_with = "mode_name")]
    #[schemars(schema_with = "mode_names")]
    pub mode: Mode,
    /// Rules that let a call pass without asking: `tool:glob` or `glob`.
    pub allow: Vec<String>,
    /// Rules that refuse a call in every mode; they win over everything.
    pub deny: Vec<String>,
    /// Lets `yolo` and `acceptEdits` reach paths outside the scope. Off unless
    /// the operator says so.
    pub unscoped: bool,
    /// Permits `/` as root or as the top of a scope entry.
    pub allow_filesystem_root: bool,
    /// Whether the built-in allow rules for read-only commands are in force; true unless set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub use_builtin_allow: Option<bool>,
    /// Further bundles of built-in allow rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub builtin_allow_extras: Vec<AllowBundle>,
    /// Whether a plan is asked for, or required before anything is changed; off unless set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PlanMode")]
    pub plan_mode: Option<PlanMode>,
    /// Older spelling of `plan_mode: required`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub require_plan_artifact: bool,
    /// Seconds until an approval that nobody gives counts as a refusal. Unless
    /// set: 300 for approvals over the network, no end on a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 86_400))]
    pub prompt_timeout_seconds: Option<u32>,
}

impl Permissions {
    /// The plan mode in force: `plan_mode` wins over the older key.
    pub fn plan_mode(&self) -> PlanMode {
        match self.plan_mode {
            Some(mode) => mode,
            None if self.require_plan_artifact => PlanMode::Required,
            None => PlanMode::Off,
        }
    }
}

/// `permissions.plan_mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanMode {
    /// There is no plan.
    #[default]
    Off,
    /// A plan may be recorded; nothing waits for it.
    Advisory,
    /// Nothing is changed before a plan is recorded, in any mode.
    Required,
}

impl PlanMode {
    /// The spelling in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Advisory => "advisory",
            Self::Required => "required",
        }
    }
}

/// A bundle of built-in allow rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AllowBundle {
    /// Commands that only read; in force unless `use_builtin_allow` is false.
    ReadOnly,
    /// Reading commands of development tools.
    DevTools,
    /// The reading tools of the catalog.
    CoreAgentTools,
}

impl AllowBundle {
    /// The spelling in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::DevTools => "dev_tools",
            Self::CoreAgentTools => "core_agent_tools",
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn mode_name<S: Serializer>(mode: &Mode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mode.as_str())
}

fn mode_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": Mode::ALL.map(Mode::as_str)})
}
