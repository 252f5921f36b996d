//! Hosts with a store or a state directory of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use toolgate::session::store::{SessionStore, SqliteStore};
use toolgate::{Call, CallError, CallResult, Config, HostBuilder, Session, SessionOptions};
use toolgate_tests::rig::{Rig, target};

/// Entries of the directory that [`many`] fills: their listing is large enough to be digested.
pub(crate) const MANY: usize = 300;

/// Fills `W/d` with files.
pub(crate) fn many(base: &Path) {
    let directory = base.join("W/d");
    std::fs::create_dir(&directory).unwrap();
    for number in 0..MANY {
        std::fs::write(directory.join(format!("f{number:03}.txt")), "").unwrap();
    }
}

/// A host over [`many`] files whose sessions are kept in memory.
pub(crate) fn rig() -> Rig {
    over(Arc::new(SqliteStore::in_memory().unwrap()))
}

/// The same with this store.
pub(crate) fn over(store: Arc<dyn SessionStore>) -> Rig {
    planted(many, |builder| builder.store(store))
}

/// A host whose large results become digests, as they do by default.
pub(crate) fn planted(plant: impl FnOnce(&Path), configure: impl FnOnce(HostBuilder) -> HostBuilder) -> Rig {
    Rig::with_config(Config::default(), plant, configure)
}

/// The same with a configuration.
pub(crate) fn configured(configure: impl FnOnce(&mut Config)) -> Rig {
    let mut config = Config::default();
    configure(&mut config);
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    Rig::with_config(config, many, |builder| builder.store(store))
}

/// A state directory of its own that shares the compiled code of all tests.
pub(crate) struct State {
    directory: tempfile::TempDir,
}

impl State {
    /// With the key of the cache in `from`, if there is one yet.
    pub(crate) fn with_key_of(from: &Path) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("toolgate");
        std::fs::create_dir(&state).unwrap();
        // Copying keeps the mode, without which the key would be refused.
        std::fs::copy(from.join("cache.key"), state.join("cache.key")).unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(&state, private).unwrap();
        Self { directory }
    }

    pub(crate) fn new() -> Self {
        let shared = target("test-state");
        if !shared.join("cache.key").exists() {
            // The first host makes it.
            drop(rig());
        }
        Self::with_key_of(&shared)
    }

    /// For `XDG_STATE_HOME`.
    pub(crate) fn home(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("toolgate")
    }

    /// The folder of the store, whether or not there is one.
    pub(crate) fn sessions(&self) -> PathBuf {
        self.path().join("sessions")
    }

    pub(crate) fn used_by(&self, builder: HostBuilder) -> HostBuilder {
        builder.state_dir(self.path())
    }

    /// How many sessions the store knows; it knows none afterwards.
    pub(crate) fn take_sessions(&self) -> u64 {
        let store = SqliteStore::open(&self.sessions()).unwrap();
        store.sweep(std::time::Duration::ZERO).unwrap()
    }
}

/// Options of a session with a name.
pub(crate) fn named(name: &str) -> SessionOptions {
    SessionOptions {
        id: Some(name.to_owned()),
        ..SessionOptions::default()
    }
}

/// The listing of [`many`] files, under this id.
pub(crate) async fn list(session: &Session, id: &str) -> CallResult {
    let call = Call::new("list_dir", json!({"path": "d"})).id(id);
    session.call(call).await.unwrap()
}

/// A page of a whole result.
pub(crate) async fn retrieve(session: &Session, arguments: Value) -> Result<CallResult, CallError> {
    session.call(Call::new("retrieve_raw", arguments)).await
}

/// Adds an item to the session's list.
pub(crate) async fn add(session: &Session, text: &str) -> Result<CallResult, CallError> {
    session
        .call(Call::new("todo", json!({"action": "add", "text": text})))
        .await
}

/// The session's list.
pub(crate) async fn items(session: &Session) -> Vec<Value> {
    let result = session
        .call(Call::new("todo", json!({"action": "list"})))
        .await
        .unwrap();
    result.value["items"].as_array().unwrap().clone()
}
