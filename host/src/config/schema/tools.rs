//! `tools`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `tools`: which tools there are, and how some of them behave.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolsConfig {
    /// Names of tools to leave out; a name that does not exist is an error.
    pub disable: Vec<String>,
    /// Whether the built-in tools are there; true unless set.
    pub use_builtin: bool,
    /// Components to load besides the built-in tools. In a file, relative ones lie beside the file.
    pub plugins: Vec<PathBuf>,
    /// Hosts that the tools of plugins may send requests of their own to, by tool: patterns like
    /// those of `url_scope.allow`, which has to admit them as well.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub network: BTreeMap<String, Vec<String>>,
    /// The sets of built-in tools to offer; `core` unless set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub toolsets: Vec<Toolset>,
    /// Waiting for a condition by polling a tool.
    pub wait_and_verify: WaitConfig,
    /// Asking another agent.
    pub call_peer: CallPeerConfig,
    /// Starting an agent of one's own.
    pub spawn_agent: SpawnAgentConfig,
}

impl Default for ToolsConfig {
    fn default() -> Self {
        Self {
            disable: Vec::new(),
            use_builtin: true,
            plugins: Vec::new(),
            network: BTreeMap::new(),
            toolsets: Vec::new(),
            wait_and_verify: WaitConfig::default(),
            call_peer: CallPeerConfig::default(),
            spawn_agent: SpawnAgentConfig::default(),
        }
    }
}

/// A set of built-in tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Toolset {
    /// The default set.
    Core,
    /// The second set.
    Axon,
}

/// `tools.wait_and_verify`.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WaitConfig {
    /// Tools that may be polled besides the read-only ones, by the name the caller sees.
    #[schemars(inner(regex(pattern = r"\S")))]
    pub poll_allow: Vec<String>,
    /// Longest wait in seconds; 300 unless set, 0 means the same.
    #[schemars(range(max = 86_400))]
    pub max_timeout_seconds: u32,
    /// Most polls of one wait; 60 unless set, 0 means the same.
    #[schemars(range(max = 1_000_000))]
    pub max_attempts: u32,
}

/// `tools.call_peer`. Checked even when it is not enabled.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CallPeerConfig {
    /// Whether the tool exists; false unless set.
    pub enabled: bool,
    /// The name callers see; `call_peer` unless set.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"))]
    pub name: String,
    /// A description in place of the built-in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub description: Option<String>,
    /// Name of the environment variable that holds the bearer token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub token_env: Option<String>,
    /// Seconds for one call, 120 unless set, at most 900.
    #[schemars(range(max = 900))]
    pub timeout_seconds: u32,
    /// Bytes of an answer, 16384 unless set.
    pub max_response_bytes: u64,
}

impl Default for CallPeerConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            name: "call_peer".to_owned(),
            description: None,
            token_env: None,
            timeout_seconds: 120,
            max_response_bytes: 16_384,
        }
    }
}

/// `tools.spawn_agent`.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SpawnAgentConfig {
    /// How long a caller waits for an answer, such as `5m`, which is what
    /// holds unless set; `0s` means without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub sync_wait_timeout: Option<String>,
}
