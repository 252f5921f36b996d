//! A host in this process, and calls of it.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use toolgate::config::CapsConfig;
use toolgate::{Call, Config, Host, Mode, Session, SessionOptions};
use toolgate_tests::rig::target;

use crate::Outcome;
use crate::timing::Samples;

/// A session in a host of its own.
pub(crate) struct Caller {
    pub(crate) session: Session,
}

impl Caller {
    /// A host for `root` in which this tool's result may have up to `max_bytes`.
    pub(crate) fn new(root: &Path, tool: &str, max_bytes: i64) -> Outcome<Self> {
        Self::with_config(Config::default(), root, tool, max_bytes)
    }

    /// The same without a place for a second instance of a call.
    pub(crate) fn alone(root: &Path, tool: &str, max_bytes: i64) -> Outcome<Self> {
        let mut config = Config::default();
        config.limits.concurrency = 1;
        Self::with_config(config, root, tool, max_bytes)
    }

    /// The same without an audit log.
    pub(crate) fn unrecorded(root: &Path, tool: &str, max_bytes: i64) -> Outcome<Self> {
        let mut config = Config::default();
        config.audit.enabled = false;
        Self::with_config(config, root, tool, max_bytes)
    }

    fn with_config(mut config: Config, root: &Path, tool: &str, max_bytes: i64) -> Outcome<Self> {
        // What is measured is the whole result, which a digest would replace.
        config.tool_output.digest = false;
        let caps = CapsConfig {
            max_bytes,
            max_lines: max_bytes,
        };
        config.tool_output.per_tool.insert(tool.to_owned(), caps);
        let host = Host::builder()
            .root(root)
            .mode(Mode::Ask)
            .config(config)
            .cache_dir(target("bench-cache"))
            .state_dir(target("bench-state"))
            .build()?;
        host.warm()?;
        Ok(Self {
            session: host.session(SessionOptions::default()),
        })
    }

    /// One call, on this thread alone.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Outcome<Map<String, Value>> {
        Ok(self.session.call_blocking(Call::new(tool, arguments))?.value)
    }

    /// One call and how long it took.
    pub(crate) fn timed(&self, tool: &str, arguments: &Value) -> Outcome<(Map<String, Value>, Duration)> {
        let arguments = arguments.clone();
        let started = Instant::now();
        let value = self.call(tool, arguments)?;
        Ok((value, started.elapsed()))
    }

    /// So many calls, after a tenth as many to warm up.
    pub(crate) fn samples(&self, rounds: usize, tool: &str, arguments: &Value) -> Outcome<Samples> {
        for _ in 0..rounds / 10 {
            self.call(tool, arguments.clone())?;
        }
        let durations: Outcome<Vec<Duration>> = (0..rounds).map(|_| Ok(self.timed(tool, arguments)?.1)).collect();
        Ok(Samples::new(durations?))
    }
}
