//! The hostile guest, seen from the test: scripts of raw operations, and how each ended.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolgate::config::CapsConfig;
use toolgate::{Call, CallError, Config, HostBuilder};
use toolgate_tests::rig::{Rig, guest};

/// Most operations that go into one call.
const BATCH: usize = 2_000;
/// Time for one call; attacks that loop need more than the usual 30 s on a busy machine.
const DEADLINE: Duration = Duration::from_secs(120);

/// One operation of the guest.
#[derive(Clone, Debug)]
pub(crate) struct Op(Map<String, Value>);

/// An operation by its name, on the first preopen unless [`Op::at`] says otherwise.
pub(crate) fn op(name: &str) -> Op {
    Op(Map::from_iter([("op".to_owned(), json!(name))]))
}

/// An operation on a path.
pub(crate) fn on(name: &str, path: &str) -> Op {
    op(name).set("path", json!(path))
}

/// Opens `path` as the variable `f`. The letters of `how`: `r` `w` `m` `s` for the descriptor,
/// `c` `d` `x` `t` for opening, `f` to follow a link at the end.
pub(crate) fn open(path: &str, how: &str) -> Op {
    on("open", path).how(how).named("f")
}

/// Reads the start of the file that is open as `f`.
pub(crate) fn read() -> Op {
    op("read").at("f").length(200)
}

/// Renames within the first preopen.
pub(crate) fn rename(old: &str, new: &str) -> Op {
    on("rename", old).set("new", json!(new))
}

impl Op {
    fn set(mut self, key: &str, value: Value) -> Self {
        self.0.insert(key.to_owned(), value);
        self
    }

    /// Whether the operation has this name.
    #[allow(dead_code, reason = "not every test binary that shares this file asks")]
    pub(crate) fn is(&self, name: &str) -> bool {
        self.0["op"] == name
    }

    pub(crate) fn at(self, variable: &str) -> Self {
        self.set("at", json!(variable))
    }

    pub(crate) fn to(self, variable: &str) -> Self {
        self.set("to", json!(variable))
    }

    pub(crate) fn new_path(self, path: &str) -> Self {
        self.set("new", json!(path))
    }

    pub(crate) fn how(self, letters: &str) -> Self {
        self.set("how", json!(letters))
    }

    pub(crate) fn named(self, variable: &str) -> Self {
        self.set("as", json!(variable))
    }

    pub(crate) fn text(self, text: &str) -> Self {
        self.set("text", json!(text))
    }

    pub(crate) fn offset(self, offset: u64) -> Self {
        self.set("offset", json!(offset))
    }

    pub(crate) fn length(self, length: u64) -> Self {
        self.set("length", json!(length))
    }
}

/// A rig whose host has loaded the guest.
pub(crate) struct Guest {
    pub(crate) rig: Rig,
}

impl Guest {
    pub(crate) fn new(config: Config, setup: impl FnOnce(&Path)) -> Self {
        Self::with_host(config, setup, |builder| builder)
    }

    /// The same with further settings of the host.
    pub(crate) fn with_host(
        mut config: Config,
        setup: impl FnOnce(&Path),
        configure: impl FnOnce(HostBuilder) -> HostBuilder,
    ) -> Self {
        config.limits.concurrency = 16;
        let caps = CapsConfig {
            max_bytes: 1 << 20,
            max_lines: 1 << 20,
        };
        for tool in ["probe", "probe_read", "probe_file"] {
            config.tool_output.per_tool.insert(tool.to_owned(), caps);
        }
        config.tool_output.digest = false;
        let plugin = guest("probe");
        Self {
            rig: Rig::with_config(config, setup, |builder| configure(builder.plugin(plugin))),
        }
    }

    /// One call of any tool.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Result<Map<String, Value>, CallError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let call = Call::new(tool, arguments).deadline(DEADLINE);
        runtime
            .block_on(self.rig.session().call(call))
            .map(|result| result.value)
    }

    /// Runs operations in the whole tree and returns how each one ended. Long scripts go in
    /// several calls, each of which starts with an operation that needs no variable.
    pub(crate) fn run(&self, ops: &[Op]) -> Vec<String> {
        let mut outcomes = Vec::with_capacity(ops.len());
        let mut rest = ops;
        while !rest.is_empty() {
            let next = rest.iter().skip(BATCH).position(|op| !op.0.contains_key("at"));
            let (now, later) = rest.split_at(next.map_or(rest.len(), |index| BATCH + index));
            outcomes.extend(self.run_as("probe", ".", now).unwrap());
            rest = later;
        }
        outcomes
    }

    /// Runs operations with another grant, in one call.
    pub(crate) fn run_as(&self, tool: &str, path: &str, ops: &[Op]) -> Result<Vec<String>, CallError> {
        let outcomes: Vec<String> = self
            .call(tool, json!({"path": path, "ops": values(ops)}))
            .map(|result| serde_json::from_value(result["outcomes"].clone()).unwrap())?;
        assert_eq!(outcomes.len(), ops.len());
        Ok(outcomes)
    }

    /// Runs operations over and over in one call and counts, for each, its outcomes.
    pub(crate) fn count(&self, times: u64, ops: &[Op]) -> Vec<BTreeMap<String, u64>> {
        let result = self
            .call("probe", json!({"path": ".", "ops": values(ops), "repeat": times}))
            .unwrap();
        serde_json::from_value(result["counts"].clone()).unwrap()
    }
}

pub(crate) fn values(ops: &[Op]) -> Vec<&Map<String, Value>> {
    ops.iter().map(|op| &op.0).collect()
}

/// Whether an outcome is a success.
pub(crate) fn is_ok(outcome: &str) -> bool {
    outcome == "ok" || outcome.starts_with("ok:")
}
