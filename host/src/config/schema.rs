//! The keys, their types and their defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::gate::Mode;

/// The whole configuration. Every key is optional; an unknown one is an error.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Format version; absent, 0 and 1 mean the same.
    pub version: u32,
    /// What may happen without asking, with asking, and never.
    pub permissions: Permissions,
    /// Which paths exist for the tools.
    pub path_scope: PathScopeConfig,
    /// How much a result may hold.
    pub tool_output: ToolOutput,
    /// Which tools there are.
    pub tools: ToolsConfig,
    /// What one call may use.
    pub limits: Limits,
    /// What is kept between calls.
    pub session: SessionConfig,
}

/// `permissions`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Permissions {
    /// The permission mode; `ask` unless set.
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
}

/// `path_scope`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PathScopeConfig {
    /// Patterns that grant reading and writing.
    pub allow: Vec<String>,
    /// Patterns with their access.
    pub allow_paths: Vec<AllowPath>,
    /// Patterns that remove paths from every scope, existing or not.
    pub deny: Vec<String>,
    /// Classes of mandatory denies that are not in force, by name.
    pub lift: Vec<String>,
    /// What to do with files that have several names.
    pub hardlinks: Hardlinks,
    /// Whether tools may cross into another mounted file system below a root.
    pub cross_device: bool,
}

/// One entry of `path_scope.allow_paths`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AllowPath {
    /// The pattern.
    pub path: String,
    /// `r`, `w` or `rw`.
    pub access: String,
    /// Another name for `access`.
    pub mode: Option<String>,
}

/// `path_scope.hardlinks`: no path-based scheme can see the other names of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hardlinks {
    /// Files with several names are like any other.
    Allow,
    /// They may be read; writing in place is refused, replacing breaks the link.
    #[default]
    DenyWrite,
    /// They may not be read either.
    Deny,
}

/// `tool_output`.
#[derive(Debug, Clone, Deserialize)]
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
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CapsConfig {
    /// Bytes.
    pub max_bytes: i64,
    /// Lines, entries or matches.
    pub max_lines: i64,
}

/// `tools`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ToolsConfig {
    /// Names of tools to leave out; a name that does not exist is an error.
    pub disable: Vec<String>,
    /// Components to load besides the built-in tools.
    pub plugins: Vec<PathBuf>,
}

/// `session`: what is kept between the calls of a session.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SessionConfig {
    /// Where it is kept.
    pub store: StoreKind,
    /// Days after which a session that nobody uses is forgotten; 30 unless set.
    pub ttl_days: u32,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            store: StoreKind::Disk,
            ttl_days: 30,
        }
    }
}

/// `session.store`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
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

/// `limits`: what one call may use.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds until a call is stopped, queueing included; 30 unless set.
    pub deadline_seconds: f64,
    /// Bytes of linear memory and tables, summed over the whole call; 256 MiB unless set.
    pub memory_bytes: u64,
    /// Calls running at the same time; the others queue. 64 unless set.
    pub concurrency: u32,
    /// Bytes a call may write to files; 256 MiB unless set.
    pub write_bytes: u64,
    /// Greatest length a call may give to a file; 1 GiB unless set.
    pub file_bytes: u64,
    /// Files and directories a call may create; 10,000 unless set.
    pub creates: u32,
    /// Entries a call may visit in a walk; 200,000 unless set.
    pub walk_entries: u64,
}

impl Limits {
    /// The default deadline of a call.
    pub fn deadline(&self) -> Duration {
        Duration::from_secs_f64(self.deadline_seconds)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline_seconds: 30.0,
            memory_bytes: 256 << 20,
            concurrency: 64,
            write_bytes: 256 << 20,
            file_bytes: 1 << 30,
            creates: 10_000,
            walk_entries: 200_000,
        }
    }
}
