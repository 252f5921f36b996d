//! A host on a scratch tree: what most tests stand on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use toolgate::config::{AlertTarget, AlertTemplate};
use toolgate::{Call, CallError, Config, Host, HostBuilder, Mode, Prompter, Session, SessionOptions};

/// A folder below the repository's `target/`.
pub fn target(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target").join(folder)
}

/// A test guest by file name without extension, built by `scripts/components.sh guests`.
pub fn guest(name: &str) -> PathBuf {
    let path = target("guests").join(format!("{name}.wasm"));
    assert!(
        path.exists(),
        "{} is missing; run `scripts/components.sh guests`",
        path.display()
    );
    path
}

/// A configuration with which every tool of the build is registered, except that plans are off.
pub fn every_tool() -> Config {
    let mut config = Config::default();
    config.url_scope.allow = vec!["tools.example".to_owned()];
    config.alerts.targets = vec![AlertTarget {
        name: "ops".to_owned(),
        url: Some("https://hook.tools.example/".to_owned()),
        template: Some(AlertTemplate::Generic),
        ..AlertTarget::default()
    }];
    config
}

/// A project directory `W`, a directory `O` outside it, and a host around `W`.
/// Compiled code is cached across tests; everything else is fresh.
pub struct Rig {
    /// Holds both directories; removed at the end.
    pub base: tempfile::TempDir,
    /// The host.
    pub host: Host,
}

impl Rig {
    /// A rig in mode `yolo`: the gate lets everything in scope pass, so that
    /// the sandbox must hold alone. Results are those of the tools, not digests. `setup` fills the
    /// tree before the host starts.
    pub fn new(setup: impl FnOnce(&Path), configure: impl FnOnce(HostBuilder) -> HostBuilder) -> Self {
        let mut config = Config::default();
        config.tool_output.digest = false;
        Self::with_config(config, setup, configure)
    }

    /// The same with a configuration.
    pub fn with_config(
        config: Config,
        setup: impl FnOnce(&Path),
        configure: impl FnOnce(HostBuilder) -> HostBuilder,
    ) -> Self {
        let base = tempfile::Builder::new().prefix("toolgate-").tempdir().unwrap();
        std::fs::create_dir(base.path().join("W")).unwrap();
        std::fs::create_dir(base.path().join("O")).unwrap();
        setup(base.path());
        let builder = builder(&base.path().join("W")).mode(Mode::Yolo).config(config);
        let host = configure(builder).build().unwrap();
        Self { base, host }
    }

    /// The project directory, without links.
    pub fn inside(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("W")
    }

    /// The directory outside the scope, without links.
    pub fn outside(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("O")
    }

    /// A session without prompter.
    pub fn session(&self) -> Session {
        self.host.session(SessionOptions::default())
    }

    /// A session whose questions go to this prompter.
    pub fn session_with(&self, prompter: Arc<dyn Prompter>) -> Session {
        self.host.session(SessionOptions {
            prompter: Some(prompter),
            ..SessionOptions::default()
        })
    }

    /// One call in a session of its own.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Map<String, Value>, CallError> {
        self.session()
            .call(Call::new(tool, arguments))
            .await
            .map(|result| result.value)
    }
}

/// A builder whose cache and state live below `target/`.
pub fn builder(root: &Path) -> HostBuilder {
    Host::builder()
        .root(root)
        .cache_dir(target("test-cache"))
        .state_dir(target("test-state"))
}
