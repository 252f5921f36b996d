//! Trees and hosts for the cases of one test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config as ProptestConfig, TestRunner};
use serde_json::{Map, Value};
use toolgate::config::{CapsConfig, StoreKind};
use toolgate::{Call, CallError, Config, Host, Mode, SessionOptions};
use toolgate_tests::rig::builder;

use crate::trees::Tree;

/// In every file outside the scope.
pub(crate) const CANARY: &str = "CANARY-7f3a";
/// The name of a file outside that no call and no link mentions.
pub(crate) const UNSPOKEN: &str = "unspoken-9c1e";

/// A directory `W`, in which each case gets one of its own, and a directory `O` beside it.
pub(crate) struct Scratch {
    base: tempfile::TempDir,
    next: AtomicUsize,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let base = tempfile::Builder::new().prefix("toolgate-").tempdir().unwrap();
        let scratch = Self {
            base,
            next: AtomicUsize::new(0),
        };
        fs::create_dir(scratch.inside()).unwrap();
        fs::create_dir_all(scratch.outside().join("sub")).unwrap();
        for file in ["secret.txt", "sub/secret.txt", UNSPOKEN] {
            fs::write(scratch.outside().join(file), format!("needle {CANARY}\n")).unwrap();
        }
        scratch
    }

    pub(crate) fn inside(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("W")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("O")
    }

    /// The directory of a case, with this tree in it; removed when dropped.
    pub(crate) fn case(&self, tree: &Tree) -> Case {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let top = self.inside().join(number.to_string());
        fs::create_dir(&top).unwrap();
        tree.build(&top, &self.outside());
        Case { top }
    }

    /// A host around `W`, without digests unless `configure` says otherwise.
    pub(crate) fn host(&self, mode: Mode, configure: impl FnOnce(&mut Config)) -> Host {
        let mut config = Config::default();
        config.limits.concurrency = 4;
        config.tool_output.digest = false;
        config.session.store = StoreKind::Memory;
        configure(&mut config);
        builder(&self.inside()).mode(mode).config(config).build().unwrap()
    }
}

/// The directory of one case.
pub(crate) struct Case {
    pub(crate) top: PathBuf,
}

impl Case {
    /// Every path in it, parents first, links not followed.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let mut paths = vec![self.top.clone()];
        let mut at = 0;
        while at < paths.len() {
            if fs::symlink_metadata(&paths[at]).unwrap().is_dir() {
                paths.extend(fs::read_dir(&paths[at]).unwrap().map(|entry| entry.unwrap().path()));
            }
            at += 1;
        }
        paths
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.top);
    }
}

/// The same output limits for every tool.
pub(crate) fn limit(config: &mut Config, caps: CapsConfig) {
    for tool in [
        "read_file",
        "read_many_files",
        "list_dir",
        "glob",
        "grep",
        "json_query",
        "view_file_outline",
    ] {
        config.tool_output.per_tool.insert(tool.to_owned(), caps);
    }
}

/// One call in a session of its own.
pub(crate) fn call(host: &Host, tool: &str, arguments: Value) -> Result<Map<String, Value>, CallError> {
    let session = host.session(SessionOptions::default());
    session
        .call_blocking(Call::new(tool, arguments))
        .map(|result| result.value)
}

/// Whether the build has the tool.
pub(crate) fn has(host: &Host, tool: &str) -> bool {
    host.tools().iter().any(|info| info.name == tool)
}

/// A path as text: the trees have no other names.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs a test on so many values of a strategy, and shows the smallest that fails.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value)) {
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 300,
        ..ProptestConfig::with_cases(cases)
    };
    let run = |value| {
        test(value);
        Ok(())
    };
    if let Err(error) = TestRunner::new(config).run(&strategy, run) {
        panic!("{error}");
    }
}
