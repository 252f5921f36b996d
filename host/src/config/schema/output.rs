//! `tool_output`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `tool_output`: how much a result may hold.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolOutput {
    /// Bytes a result may hold, 32768 unless set; 0 leaves the tool's own limit in force.
    pub max_bytes: u64,
    /// Lines, entries or matches a result may hold, 500 unless set; 0 likewise.
    pub max_lines: u64,
    /// Limits for single tools; each field set here wins on its own.
    pub per_tool: BTreeMap<String, CapsConfig>,
    /// Whether large results of survey tools become a digest, with the whole
    /// result kept for `retrieve_raw`; true unless set.
    pub digest: bool,
}

impl Default for ToolOutput {
    fn default() -> Self {
        Self {
            max_bytes: 32_768,
            max_lines: 500,
            per_tool: BTreeMap::new(),
            digest: true,
        }
    }
}

/// Limits of one tool. Zero or less counts as not set.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CapsConfig {
    /// Bytes.
    pub max_bytes: i64,
    /// Lines, entries or matches.
    pub max_lines: i64,
}
