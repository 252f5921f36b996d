//! The stage of a hostile guest: a host around a scratch project, with nothing but the sandbox in its way.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::config::Limits;
use toolgate::{BuildError, Call, CallError, Config, ErrorKind, Host, Mode};
use toolgate_tests::rig::{self, Rig};

use crate::forge::Forge;

/// Memory that one call may use in these tests.
pub(crate) const MEMORY: u64 = 64 << 20;
/// How much later than its deadline a call may end. The host needs two ticks
/// of 10 ms; the rest is for machines that are busy with other tests.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// Limits that keep a hostile guest's test short.
pub(crate) fn limits() -> Limits {
    Limits {
        deadline_seconds: 20.0,
        memory_bytes: MEMORY,
        concurrency: 8,
        ..Limits::default()
    }
}

/// A host with hostile plugins. The project holds the file `f`, the directory
/// `d` with an entry, and nothing else.
pub(crate) struct Stage {
    pub(crate) rig: Rig,
}

impl Stage {
    /// A host that has loaded this plugin.
    pub(crate) fn of(forge: &Forge) -> Self {
        Self::with(&[&forge.build()], limits())
    }

    /// A host that has loaded these components.
    pub(crate) fn with(components: &[&[u8]], limits: Limits) -> Self {
        crate::panics::watch();
        let files = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..components.len())
            .map(|number| files.path().join(format!("{number}.wasm")))
            .collect();
        for (path, bytes) in paths.iter().zip(components) {
            std::fs::write(path, bytes).unwrap();
        }
        Self::with_plugins(&paths, limits)
    }

    /// A host that has loaded these files.
    pub(crate) fn with_plugins(paths: &[PathBuf], limits: Limits) -> Self {
        crate::panics::watch();
        let config = Config {
            limits,
            ..Config::default()
        };
        let rig = Rig::with_config(config, project, |builder| {
            paths.iter().fold(builder, |builder, path| builder.plugin(path))
        });
        Self { rig }
    }

    /// Calls `evil` with the number that picks what it does.
    pub(crate) async fn evil(&self, n: u64) -> Result<i64, CallError> {
        self.evil_within(n, Duration::from_secs(20)).await
    }

    /// The same with a deadline.
    pub(crate) async fn evil_within(&self, n: u64, deadline: Duration) -> Result<i64, CallError> {
        let call = Call::new("evil", json!({"n": n})).deadline(deadline);
        let value = self.rig.session().call(call).await?.value;
        Ok(value["value"].as_i64().unwrap())
    }

    /// Calls `evil` and expects its deadline to end it, and the host to be well afterwards.
    pub(crate) async fn ends_by_deadline(&self, n: u64) {
        let deadline = Duration::from_millis(300);
        let started = Instant::now();
        let outcome = self.evil_within(n, deadline).await;
        let took = started.elapsed();
        let error = outcome.expect_err("an endless call has no result");
        assert_eq!(error.kind, ErrorKind::Deadline, "case {n}: {error}");
        assert!(took < deadline + GRACE, "case {n}: took {took:?}");
        self.is_well().await;
    }

    /// Calls `evil` and expects it to be ended for what it did; returns the message.
    pub(crate) async fn is_ended(&self, n: u64) -> String {
        let error = self
            .evil(n)
            .await
            .expect_err("a call that breaks the rules has no result");
        assert!(
            matches!(error.kind, ErrorKind::Failed | ErrorKind::Limit),
            "case {n}: {:?}: {error}",
            error.kind
        );
        assert!(error.message.starts_with("evil: "), "case {n}: {error}");
        crate::panics::none();
        self.is_well().await;
        error.message
    }

    /// An honest call succeeds.
    pub(crate) async fn is_well(&self) {
        let result = self.rig.call("read_file", json!({"path": "f"})).await;
        let result = result.unwrap_or_else(|error| panic!("an honest call fails: {error}"));
        assert!(result["content"].to_string().contains("content"), "{result:?}");
    }

    /// Files that this process holds open below the project, without its root.
    pub(crate) fn open_files(&self) -> Vec<PathBuf> {
        crate::measure::open_below(&self.rig.inside())
    }

    /// Waits until nothing below the project is open any more.
    pub(crate) async fn recovers(&self) {
        let started = Instant::now();
        loop {
            let open = self.open_files();
            if open.is_empty() {
                return;
            }
            assert!(started.elapsed() < GRACE, "still open: {open:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Every entry of the project, sorted.
    pub(crate) fn entries(&self) -> Vec<String> {
        let mut all = Vec::new();
        collect(&self.rig.inside(), "", &mut all);
        all.sort();
        all
    }
}

/// What the project holds at the start.
pub(crate) const PROJECT: &[&str] = &["d", "d/e", "f"];

fn project(base: &Path) {
    std::fs::write(base.join("W/f"), "content\n").unwrap();
    std::fs::create_dir(base.join("W/d")).unwrap();
    std::fs::write(base.join("W/d/e"), "entry\n").unwrap();
}

fn collect(directory: &Path, prefix: &str, all: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().display());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), all);
        }
        all.push(name);
    }
}

/// Tries to load a component; the message of the refusal.
pub(crate) fn refusal(component: &[u8]) -> String {
    attempt(component).expect("the component must be refused")
}

/// Tries to load a component; the message, if it is refused.
pub(crate) fn attempt(component: &[u8]) -> Option<String> {
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("guest.wasm");
    std::fs::write(&path, component).unwrap();
    attempt_file(&path)
}

/// Tries to load a file; the message, which names the file, if it is refused.
pub(crate) fn attempt_file(path: &Path) -> Option<String> {
    match load(path) {
        Ok(_) => None,
        Err(error) => {
            crate::panics::none();
            let message = error.to_string();
            assert!(message.starts_with(path.to_str().unwrap()), "{message}");
            assert!(message.len() < 2000, "a long message: {message}");
            Some(message)
        }
    }
}

/// Tries to load a file.
pub(crate) fn load(path: &Path) -> Result<Host, BuildError> {
    crate::panics::watch();
    let root = tempfile::tempdir().unwrap();
    let config = Config {
        limits: limits(),
        ..Config::default()
    };
    rig::builder(root.path())
        .mode(Mode::Yolo)
        .config(config)
        .plugin(path)
        .build()
}
