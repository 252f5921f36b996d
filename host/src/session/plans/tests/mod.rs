//! Plans on real directories: rows that no host of this build can set up, races, and links.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod links;
mod races;
mod rows;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Author, PlanError, PlanStore, Plans, SessionPlans};
use crate::config::PlanMode;
use crate::gate::PlanState;

/// An agents directory.
struct Agents {
    _base: tempfile::TempDir,
    path: PathBuf,
}

impl Agents {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().canonicalize().unwrap().join("agents");
        fs::create_dir(&path).unwrap();
        Self { _base: base, path }
    }

    /// As another process would open it.
    fn store(&self) -> PlanStore {
        PlanStore::open(&self.path).unwrap()
    }

    fn host(&self, mode: PlanMode, gated: Option<&[&str]>) -> Arc<Plans> {
        let gated = gated.map(|tools| tools.iter().map(|tool| (*tool).to_owned()).collect());
        Arc::new(Plans::new(mode, Some(self.store()), gated))
    }

    fn plan(&self, name: &str) -> PathBuf {
        self.path.join("plans").join(name)
    }

    /// The names in the plans directory, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path.join("plans")).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn author(agent: &str, session: &str) -> Author {
    let known = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    Author {
        agent: known(agent),
        session: known(session),
    }
}

fn session(host: &Arc<Plans>, author: Author) -> SessionPlans {
    SessionPlans::new(Arc::clone(host), author, PlanState::new())
}

fn failure<T: std::fmt::Debug>(result: Result<T, PlanError>) -> String {
    match result.unwrap_err() {
        PlanError::Failed(text) => text,
        other => panic!("{other:?}"),
    }
}
