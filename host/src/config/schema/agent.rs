//! `safety`, `agent`, `hooks` and `subagents`: what surrounds the tools.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `safety`: postures that hold whatever the mode.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Safety {
    /// What happens to shell commands that search, where a search tool would do.
    pub bash_search_gate: SearchGate,
    /// What happens when a small model leads.
    pub small_tier_parent: ParentPosture,
    /// What happens when an agent makes no progress; unless set, `enforce` unattended and `warn` with somebody present.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Watchdog")]
    pub watchdog: Option<Watchdog>,
}

/// `safety.bash_search_gate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchGate {
    /// They are refused.
    #[default]
    Enforce,
    /// They run, with a notice.
    Warn,
    /// They run.
    Allow,
}

/// `safety.small_tier_parent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParentPosture {
    /// It is said.
    #[default]
    Warn,
    /// It is refused.
    Refuse,
    /// Nothing.
    Allow,
}

/// `safety.watchdog`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Watchdog {
    /// Nothing.
    Off,
    /// It is said to the operator.
    Warn,
    /// It is said to the agent.
    Feedback,
    /// It is stopped.
    Enforce,
}

/// `agent`: budgets of the agent that uses the tools.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct AgentConfig {
    /// Most steps of a turn; 50 unless set.
    #[schemars(range(min = 1, max = 4_294_967_295_u32))]
    pub max_steps: u32,
    /// Most cost of a turn in US dollars; no limit unless set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0))]
    pub max_turn_cost_usd: Option<f64>,
    /// Most cost of a session in US dollars; 0 for no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0))]
    pub max_session_cost_usd: Option<f64>,
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            max_steps: 50,
            max_turn_cost_usd: None,
            max_session_cost_usd: None,
        }
    }
}

/// `hooks`: commands of the operator by event.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct HooksConfig {
    /// Before a tool runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_start: Vec<Hook>,
    /// After a tool ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_end: Vec<Hook>,
    /// Before a model is asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub model_start: Vec<Hook>,
    /// When the agent is done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agent_end: Vec<Hook>,
}

/// One command of `hooks`.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Hook {
    /// The command line.
    #[schemars(regex(pattern = r"\S"))]
    pub command: String,
    /// Seconds until it is stopped; 10 unless set, 0 means the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 86_400))]
    pub timeout_seconds: Option<f64>,
}

/// One entry of `subagents`. A list that is absent is inherited; an empty one means none.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct SubagentConfig {
    /// Its name; unique.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub name: String,
    /// What callers are told of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub tools: Option<Vec<String>>,
    /// Its MCP servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub mcp: Option<Vec<String>>,
    /// Its skills.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub skills: Option<Vec<String>>,
    /// Its budgets.
    pub budgets: SubagentBudgets,
    /// How deep it may start others; 2 unless set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(max = 1024))]
    pub max_depth: Option<u32>,
}

/// `subagents[].budgets`: amounts by name, none below 0.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct SubagentBudgets(
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0}))] BTreeMap<String, f64>,
);
