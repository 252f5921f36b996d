//! `limits`.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `limits`: what one call may use.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds until a call is stopped, queueing included; 30 unless set.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 86_400))]
    pub deadline_seconds: f64,
    /// Bytes of linear memory and tables, summed over the whole call; 256 MiB unless set.
    #[schemars(range(min = 1_048_576))]
    pub memory_bytes: u64,
    /// Calls running at the same time; the others queue. 64 unless set.
    #[schemars(range(min = 1, max = 1024))]
    pub concurrency: u32,
    /// Bytes a call may write to files; 256 MiB unless set.
    pub write_bytes: u64,
    /// Greatest length a call may give to a file; 1 GiB unless set.
    pub file_bytes: u64,
    /// Files and directories a call may create; 10,000 unless set.
    #[schemars(range(max = 4_294_967_295_u32))]
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
