//! Hosts with a log of their own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use toolgate::audit::{Report, verify};
use toolgate::{Config, HostBuilder};
use toolgate_tests::rig::{Rig, target};

/// Longest wait for the last records.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// A host around `W/a.txt`, its state directory, and the log in it.
pub(crate) struct Stage {
    pub(crate) rig: Rig,
    state: State,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with(Config::default(), State::new(), |builder| builder)
    }

    /// With this configuration and state directory.
    pub(crate) fn with(config: Config, state: State, configure: impl FnOnce(HostBuilder) -> HostBuilder) -> Self {
        let plant = |base: &Path| fs::write(base.join("W/a.txt"), "one\n").unwrap();
        let rig = Rig::with_config(config, plant, |builder| configure(builder.state_dir(state.path())));
        Self { rig, state }
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.state.log()
    }

    /// The calls in the log, oldest first.
    pub(crate) fn records(&self) -> Vec<Value> {
        self.rig.host.flush_audit(SOON).unwrap();
        records(&self.log())
    }

    pub(crate) fn verified(&self) -> Report {
        self.rig.host.flush_audit(SOON).unwrap();
        verify(&self.log()).unwrap()
    }
}

/// A state directory that shares the compiled code of all tests.
pub(crate) struct State(tempfile::TempDir);

impl State {
    pub(crate) fn new() -> Self {
        let shared = target("test-state/cache.key");
        if !shared.exists() {
            // The first host makes it.
            drop(Rig::new(|_| {}, |builder| builder));
        }
        Self::with_key(&shared)
    }

    /// With this key of a cache.
    pub(crate) fn with_key(key: &Path) -> Self {
        let state = Self(tempfile::tempdir().unwrap());
        fs::create_dir(state.path()).unwrap();
        fs::set_permissions(state.path(), PermissionsExt::from_mode(0o700)).unwrap();
        // Copying keeps the mode, without which the key would be refused.
        fs::copy(key, state.path().join("cache.key")).unwrap();
        state
    }

    /// For `XDG_STATE_HOME`.
    pub(crate) fn home(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("toolgate")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path().join("audit")
    }
}

/// Every line of a log, oldest first.
pub(crate) fn lines(log: &Path) -> Vec<Value> {
    text(log)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The calls in a log, oldest first.
pub(crate) fn records(log: &Path) -> Vec<Value> {
    let mut lines = lines(log);
    lines.retain(|line| line["event"].is_null());
    lines
}

/// All files of a log, oldest first.
pub(crate) fn text(log: &Path) -> String {
    let mut names: Vec<_> = fs::read_dir(log)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    // `audit-…` comes before `audit.jsonl`.
    names.sort();
    names.iter().map(|name| fs::read_to_string(name).unwrap()).collect()
}
