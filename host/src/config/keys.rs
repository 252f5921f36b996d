//! Every key as data: how layers merge, how far an untrusted file may change it, whether this build heeds it.

use super::key_path::{KeyPath, Step};

/// What a later layer does to an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    /// The later value stands.
    Replace,
    /// A list: the later entries follow the earlier ones; what is there already is not repeated.
    Append,
}

/// How far a file that is not trusted may change a value. Only what takes
/// rights or resources away passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Narrow {
    /// Nothing depends on it.
    Free,
    /// Not at all.
    Never,
    /// More entries only take more away.
    Adds,
    /// Not above the value in force.
    AtMost,
    /// The same; zero and less mean that nothing is said.
    AtMostUnlessZero,
    /// Only towards the end of this list, loosest first.
    Towards(&'static [&'static str]),
    /// Only to this value.
    Only(bool),
}

/// Whether this build heeds a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Support {
    /// It does.
    Here,
    /// Not yet: what it needs. Without that, nothing is less safe than the key asks for.
    NotYet(&'static str),
}

/// One key.
#[derive(Debug)]
pub(super) struct Key {
    /// The path; `*` stands for any one key.
    pub(super) pattern: &'static str,
    pub(super) merge: Merge,
    pub(super) narrow: Narrow,
    pub(super) support: Support,
}

const WAIT: Support = Support::NotYet("wait_and_verify");
const PEER: Support = Support::NotYet("call_peer");
const SPAWN: Support = Support::NotYet("spawn_agent");
const AGENT: Support = Support::NotYet("an agent loop; it belongs to the program that calls the tools");

const MODES: &[&str] = &["yolo", "acceptEdits", "ask", "allow", "plan"];

const fn key(pattern: &'static str, merge: Merge, narrow: Narrow, support: Support) -> Key {
    Key {
        pattern,
        merge,
        narrow,
        support,
    }
}

use Merge::{Append, Replace};
use Narrow::{Adds, AtMost, AtMostUnlessZero, Free, Never, Only, Towards};
use Support::Here;

/// All keys that hold a value, in the order of the schema.
pub(super) const KEYS: &[Key] = &[
    key("version", Replace, Free, Here),
    key("permissions.mode", Replace, Towards(MODES), Here),
    key("permissions.allow", Append, Never, Here),
    key("permissions.deny", Append, Adds, Here),
    key("permissions.unscoped", Replace, Only(false), Here),
    key("permissions.allow_filesystem_root", Replace, Only(false), Here),
    key("permissions.use_builtin_allow", Replace, Only(false), Here),
    key("permissions.builtin_allow_extras", Append, Never, Here),
    key(
        "permissions.plan_mode",
        Replace,
        Towards(&["off", "advisory", "required"]),
        Here,
    ),
    key("permissions.require_plan_artifact", Replace, Only(true), Here),
    key("permissions.prompt_timeout_seconds", Replace, AtMost, Here),
    key("path_scope.allow", Append, Never, Here),
    key("path_scope.allow_paths", Append, Never, Here),
    key("path_scope.deny", Append, Adds, Here),
    key(
        "path_scope.hardlinks",
        Replace,
        Towards(&["allow", "deny_write", "deny"]),
        Here,
    ),
    key("path_scope.lift", Append, Never, Here),
    key("path_scope.cross_device", Replace, Only(false), Here),
    key("url_scope.allow", Append, Never, Here),
    key("url_scope.deny", Append, Adds, Here),
    key("url_scope.max_body_bytes", Replace, AtMostUnlessZero, Here),
    key("url_scope.timeout_seconds", Replace, AtMostUnlessZero, Here),
    key("url_scope.headers.*.*", Replace, Never, Here),
    key("url_scope.allow_metadata_endpoints", Replace, Only(false), Here),
    key("url_scope.headers_over_http", Append, Never, Here),
    key("url_scope.proxy", Replace, Never, Here),
    key("url_scope.ca_file", Replace, Never, Here),
    key("url_scope.nameservers", Replace, Never, Here),
    key("url_scope.nat64_prefix", Replace, Never, Here),
    key("tool_output.max_bytes", Replace, AtMostUnlessZero, Here),
    key("tool_output.max_lines", Replace, AtMostUnlessZero, Here),
    key("tool_output.per_tool.*.max_bytes", Replace, AtMostUnlessZero, Here),
    key("tool_output.per_tool.*.max_lines", Replace, AtMostUnlessZero, Here),
    key("tool_output.digest", Replace, Only(true), Here),
    key("tools.disable", Append, Adds, Here),
    key("tools.use_builtin", Replace, Only(false), Here),
    key("tools.plugins", Append, Never, Here),
    key("tools.network.*", Append, Never, Here),
    key("tools.toolsets", Replace, Never, Support::NotYet("a second toolset")),
    key("tools.wait_and_verify.poll_allow", Append, Never, WAIT),
    key(
        "tools.wait_and_verify.max_timeout_seconds",
        Replace,
        AtMostUnlessZero,
        WAIT,
    ),
    key("tools.wait_and_verify.max_attempts", Replace, AtMostUnlessZero, WAIT),
    key("tools.call_peer.enabled", Replace, Only(false), PEER),
    // A rule that denies the tool goes by its name.
    key("tools.call_peer.name", Replace, Never, PEER),
    key("tools.call_peer.description", Replace, Never, PEER),
    key("tools.call_peer.token_env", Replace, Never, PEER),
    key("tools.call_peer.timeout_seconds", Replace, AtMost, PEER),
    key("tools.call_peer.max_response_bytes", Replace, AtMost, PEER),
    key("tools.spawn_agent.sync_wait_timeout", Replace, Never, SPAWN),
    key("limits.deadline_seconds", Replace, AtMost, Here),
    key("limits.memory_bytes", Replace, AtMost, Here),
    key("limits.concurrency", Replace, AtMost, Here),
    key("limits.write_bytes", Replace, AtMost, Here),
    key("limits.file_bytes", Replace, AtMost, Here),
    key("limits.creates", Replace, AtMost, Here),
    key("limits.walk_entries", Replace, AtMost, Here),
    key("audit.enabled", Replace, Never, Here),
    key("audit.sync", Replace, Never, Here),
    key("audit.on_failure", Replace, Never, Here),
    key("audit.keyed", Replace, Never, Here),
    key("audit.max_file_bytes", Replace, Never, Here),
    key("audit.keep_files", Replace, Never, Here),
    key("session.store", Replace, Towards(&["disk", "memory", "off"]), Here),
    key("session.ttl_days", Replace, AtMost, Here),
    key("session.task_class", Replace, Never, AGENT),
    key(
        "safety.bash_search_gate",
        Replace,
        Towards(&["allow", "warn", "enforce"]),
        Here,
    ),
    key(
        "safety.small_tier_parent",
        Replace,
        Towards(&["allow", "warn", "refuse"]),
        AGENT,
    ),
    key(
        "safety.watchdog",
        Replace,
        Towards(&["off", "warn", "feedback", "enforce"]),
        AGENT,
    ),
    key("alerts.rate_limit_per_target", Replace, Never, Here),
    key("alerts.targets", Replace, Never, Here),
    key("agent.max_steps", Replace, AtMost, AGENT),
    key("agent.max_turn_cost_usd", Replace, AtMostUnlessZero, AGENT),
    key("agent.max_session_cost_usd", Replace, AtMostUnlessZero, AGENT),
    key("hooks.tool-start", Replace, Never, AGENT),
    key("hooks.tool-end", Replace, Never, AGENT),
    key("hooks.model-start", Replace, Never, AGENT),
    key("hooks.agent-end", Replace, Never, AGENT),
    key("subagents", Replace, Never, SPAWN),
    key("content_roots", Replace, Never, AGENT),
];

/// Sections of core-agent's file that say nothing to a tool host.
pub(super) const FOREIGN: &[(&str, &str)] = &[
    ("attach", "How a daemon is reached."),
    ("model", "The model of the agent."),
    ("otel", "Telemetry of the agent."),
    ("pricing", "Prices of models."),
    ("compaction", "How a conversation is shortened."),
    ("ui", "The terminal interface."),
    ("mock", "Answers for tests."),
];

/// Sections where an unknown key is an error in every file, since a
/// prohibition may be lost in it (D-28).
pub(super) const SECURITY: &[&str] = &[
    "permissions",
    "path_scope",
    "url_scope",
    "safety",
    "alerts",
    "tools",
    "limits",
    "audit",
];

/// Keys whose empty text means that nothing is said.
pub(super) const EMPTY_IS_UNSET: &[&str] = &[
    "permissions.mode",
    "permissions.plan_mode",
    "safety.bash_search_gate",
    "safety.small_tier_parent",
    "safety.watchdog",
    "session.task_class",
];

/// Tool names that a file may disable although this build lacks the tool.
pub const DOCUMENTED_TOOLS: &[&str] = &[
    "alert",
    "bash",
    "call_peer",
    "delete_file",
    "edit_file",
    "fetch_url",
    "glob",
    "grep",
    "json_query",
    "list_dir",
    "read_file",
    "read_many_files",
    "record_plan",
    "retrieve_raw",
    "sciontool_status",
    "stat",
    "todo",
    "view_file_outline",
    "wait_and_verify",
    "write_file",
];

/// The key whose value lies at this path.
pub(super) fn find(path: &KeyPath) -> Option<&'static Key> {
    KEYS.iter().find(|key| {
        let mut names = key.pattern.split('.');
        let fits = path.steps().iter().all(|step| match (names.next(), step) {
            (Some("*"), Step::Key(_)) => true,
            (Some(name), Step::Key(given)) => name == given,
            _ => false,
        });
        fits && names.next().is_none()
    })
}

/// The path of the key whose value this path is, or is a part of.
pub(super) fn holder(path: &KeyPath) -> Option<KeyPath> {
    let mut path = path.clone();
    while find(&path).is_none() {
        path = path.parent()?;
    }
    Some(path)
}
