//! Hosts with alert targets, an environment that a test can change, and a log of their own.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolgate::{Call, CallError, Config, HostBuilder, Mode, Session, SessionOptions};
use toolgate_tests::net::HookServer;
use toolgate_tests::rig::{Rig, target};

use crate::log::Log;

/// Longest wait for what happens soon.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// Variables that can be changed while a host looks them up.
#[derive(Clone, Default)]
pub(crate) struct Environment(Arc<Mutex<HashMap<String, String>>>);

impl Environment {
    pub(crate) fn set(&self, name: &str, value: &str) {
        self.0.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    pub(crate) fn remove(&self, name: &str) {
        self.0.lock().unwrap().remove(name);
    }

    fn get(&self, name: &str) -> Option<String> {
        self.0.lock().unwrap().get(name).cloned()
    }
}

/// What a host starts with: these targets, mode `yolo`, nothing in the environment.
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) mode: Mode,
    pub(crate) environment: Environment,
    configure: Box<dyn FnOnce(HostBuilder) -> HostBuilder>,
}

impl Setup {
    /// With a list of targets as configurations write it.
    pub(crate) fn targets(targets: Value) -> Self {
        let mut config = Config::default();
        config.alerts.targets = serde_json::from_value(targets).unwrap();
        Self {
            config,
            mode: Mode::Yolo,
            environment: Environment::default(),
            configure: Box::new(|builder| builder),
        }
    }

    /// One generic target of each name, all on one server.
    pub(crate) fn named(names: &[&str], server: &HookServer) -> Self {
        let named = |name: &&str| json!({"name": name, "template": "generic", "url": server.url("/hook")});
        Self::targets(names.iter().map(named).collect())
    }

    pub(crate) fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    pub(crate) fn limit(mut self, rate: &str) -> Self {
        rate.clone_into(&mut self.config.alerts.rate_limit_per_target);
        self
    }

    pub(crate) fn variable(self, name: &str, value: &str) -> Self {
        self.environment.set(name, value);
        self
    }

    pub(crate) fn config(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self
    }

    pub(crate) fn builder(mut self, configure: impl FnOnce(HostBuilder) -> HostBuilder + 'static) -> Self {
        self.configure = Box::new(configure);
        self
    }

    pub(crate) fn start(self) -> Stage {
        let state = state();
        let log = Log::from_now();
        let variables = self.environment.clone();
        let plant = |base: &Path| fs::create_dir(base.join("W/.agents")).unwrap();
        let rig = Rig::with_config(self.config, plant, |builder| {
            let builder = builder
                .mode(self.mode)
                .state_dir(state.path())
                .variables(move |name| variables.get(name));
            (self.configure)(builder)
        });
        Stage {
            rig,
            environment: self.environment,
            beginning: log.own(),
            log,
            state,
        }
    }
}

/// A host that runs.
pub(crate) struct Stage {
    pub(crate) rig: Rig,
    pub(crate) environment: Environment,
    /// What it logged when it started.
    pub(crate) beginning: String,
    /// What was logged since.
    pub(crate) log: Log,
    state: tempfile::TempDir,
}

impl Stage {
    pub(crate) fn session(&self) -> Session {
        self.rig.session()
    }

    pub(crate) fn session_of(&self, options: SessionOptions) -> Session {
        self.rig.host.session(options)
    }

    /// What callers are told of the tool.
    pub(crate) fn description(&self) -> String {
        let tools = self.rig.host.tools();
        let tool = tools.iter().find(|tool| tool.name == "alert");
        tool.unwrap().description.clone()
    }

    /// The lines of the audit log, as one text.
    pub(crate) fn audit(&self) -> String {
        self.rig.host.flush_audit(SOON).unwrap();
        audit_text(&self.state.path().join("audit"))
    }

    /// The last call in the audit log.
    pub(crate) fn last_record(&self) -> Value {
        let text = self.audit();
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    }
}

/// Sends an alert to a target.
pub(crate) async fn fire(session: &Session, target: &str) -> Result<Map<String, Value>, CallError> {
    fire_with(
        session,
        json!({"target": target, "level": "critical", "summary": "disk full"}),
    )
    .await
}

/// The same with any arguments.
pub(crate) async fn fire_with(session: &Session, arguments: Value) -> Result<Map<String, Value>, CallError> {
    session
        .call(Call::new("alert", arguments))
        .await
        .map(|result| result.value)
}

/// All lines of an audit log.
pub(crate) fn audit_text(log: &Path) -> String {
    let Ok(entries) = fs::read_dir(log) else {
        return String::new();
    };
    let mut names: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    // `audit-…` comes before `audit.jsonl`.
    names.sort();
    names.iter().map(|name| fs::read_to_string(name).unwrap()).collect()
}

/// A state directory that shares the compiled code of all tests.
fn state() -> tempfile::TempDir {
    let key = target("test-state/cache.key");
    if !key.exists() {
        // The first host makes it.
        drop(Rig::new(|_| {}, |builder| builder));
    }
    let state = tempfile::tempdir().unwrap();
    fs::set_permissions(state.path(), PermissionsExt::from_mode(0o700)).unwrap();
    // Copying keeps the mode, without which the key would be refused.
    fs::copy(key, state.path().join("cache.key")).unwrap();
    state
}
