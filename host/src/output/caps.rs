//! Which output limits are in force for a tool.

use crate::catalog::Caps;
use crate::config::ToolOutput;

/// Limits of a tool that sets none itself.
const GLOBAL: Caps = Caps {
    max_bytes: 32_768,
    max_lines: 500,
};

/// Limits that ship with the host, by tool. A user's entry for one field
/// leaves the other one in force (FX-26).
const SHIPPED: &[(&str, Caps)] = &[
    ("bash", caps(65_536, 2_000)),
    ("glob", caps(32_768, 500)),
    ("grep", caps(262_144, 5_000)),
    ("json_query", caps(262_144, 5_000)),
    ("read_file", caps(262_144, 5_000)),
    ("read_many_files", caps(262_144, 5_000)),
    // A page of what the caller asked for.
    ("retrieve_raw", caps(262_144, 5_000)),
    // Its longest list, whole: 200 items of 2000 bytes.
    ("todo", caps(409_600, 500)),
    ("view_file_outline", caps(65_536, 2_000)),
];

const fn caps(max_bytes: u64, max_lines: u64) -> Caps {
    Caps { max_bytes, max_lines }
}

/// Resolves the limits of every tool from configuration and defaults.
#[derive(Debug, Clone, Default)]
pub struct CapsTable {
    config: ToolOutput,
    /// Bytes of a fetched body.
    body: u64,
}

impl CapsTable {
    /// A table over this configuration; `body` is `url_scope.max_body_bytes`.
    pub fn new(config: ToolOutput, body: u64) -> Self {
        Self { config, body }
    }

    /// The limits of one tool: for each field the user's entry for the tool,
    /// else the shipped entry, else the user's global value, else the tool's
    /// own value, else the global default.
    pub fn get(&self, tool: &str, own: Option<Caps>) -> Caps {
        // What was fetched has a limit of its own, `url_scope.max_body_bytes`.
        if tool == "fetch_url" {
            return Caps {
                max_bytes: self.body,
                max_lines: u64::MAX,
            };
        }
        let user = self.config.per_tool.get(tool).copied().unwrap_or_default();
        let shipped = SHIPPED.iter().find(|(name, _)| *name == tool).map(|(_, caps)| *caps);
        let pick = |user: i64, shipped: Option<u64>, global: u64, own: Option<u64>, default: u64| {
            u64::try_from(user)
                .ok()
                .filter(|value| *value > 0)
                .or(shipped)
                .or((global > 0).then_some(global))
                .or(own)
                .unwrap_or(default)
        };
        Caps {
            max_bytes: pick(
                user.max_bytes,
                shipped.map(|caps| caps.max_bytes),
                self.config.max_bytes,
                own.map(|caps| caps.max_bytes),
                GLOBAL.max_bytes,
            ),
            max_lines: pick(
                user.max_lines,
                shipped.map(|caps| caps.max_lines),
                self.config.max_lines,
                own.map(|caps| caps.max_lines),
                GLOBAL.max_lines,
            ),
        }
    }
}
