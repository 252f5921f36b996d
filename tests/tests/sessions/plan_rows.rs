//! The rows of `plans.json`: what authors record and withdraw over turns and processes.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolgate::config::PlanMode;
use toolgate::session::store::SqliteStore;
use toolgate::{CallError, Config, Host, Session, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{self, After, CallFailure, Expect, Step, Workspace};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the table")]
    note: Option<String>,
    /// `permissions.plan_mode`.
    mode: Option<String>,
    /// Whether the project has no `.agents`.
    #[serde(default)]
    no_agents: bool,
    #[serde(default)]
    setup: Vec<Step>,
    steps: Vec<PlanStep>,
    #[serde(default)]
    after: Vec<After>,
}

/// Who acts.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
struct By {
    session: String,
    agent: Option<String>,
}

fn somebody() -> By {
    By {
        session: "s".to_owned(),
        agent: None,
    }
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum PlanStep {
    Record(Record),
    Together {
        together: Vec<Record>,
    },
    Many {
        many: usize,
        record: String,
        outcome: String,
    },
    Replan {
        #[allow(dead_code, reason = "it names the step")]
        replan: bool,
        #[serde(default = "somebody")]
        by: By,
        expect: Expect,
    },
    Recorded {
        recorded: bool,
        #[serde(default = "somebody")]
        by: By,
    },
    Turn {
        #[allow(dead_code, reason = "it names the step")]
        turn: bool,
        #[serde(default = "somebody")]
        by: By,
    },
    Remove {
        remove: String,
    },
    Times {
        times: String,
    },
    Restart {
        #[allow(dead_code, reason = "it names the step")]
        restart: bool,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    record: String,
    #[serde(default = "somebody")]
    by: By,
    expect: Expect,
}

/// A host, its sessions, and what is remembered of files.
struct Stage {
    workspace: Workspace,
    config: Config,
    store: Arc<SqliteStore>,
    host: Host,
    sessions: BTreeMap<By, Session>,
    times: BTreeMap<String, (u64, i64, i64)>,
}

fn start(workspace: &Workspace, config: &Config, store: &Arc<SqliteStore>) -> Result<Host, String> {
    let builder = builder(workspace.inside()).config(config.clone());
    let host = builder.store(store.clone()).build();
    host.map_err(|error| error.to_string())
}

impl Stage {
    fn new(row: &Row) -> Result<Self, String> {
        let workspace = Workspace::create(&row.setup)?;
        if !row.no_agents {
            std::fs::create_dir_all(workspace.path("W/.agents")).map_err(|error| error.to_string())?;
        }
        let mode = row.mode.as_deref().unwrap_or("required");
        let mode: PlanMode = serde_json::from_value(mode.into()).map_err(|error| error.to_string())?;
        let mut config = Config::default();
        config.permissions.plan_mode = Some(mode);
        let store = Arc::new(SqliteStore::in_memory().map_err(|error| error.to_string())?);
        Ok(Self {
            host: start(&workspace, &config, &store)?,
            workspace,
            config,
            store,
            sessions: BTreeMap::new(),
            times: BTreeMap::new(),
        })
    }

    fn session(&mut self, by: &By) -> Session {
        let host = &self.host;
        let made = self.sessions.entry(by.clone()).or_insert_with(|| {
            host.session(SessionOptions {
                id: Some(by.session.clone()),
                agent: by.agent.clone(),
                ..SessionOptions::default()
            })
        });
        made.clone()
    }

    fn check<T: Serialize>(&self, expect: &Expect, outcome: Result<T, CallError>) -> Result<(), String> {
        let outcome = outcome
            .map(|result| serde_json::to_value(result).unwrap())
            .map_err(|error| CallFailure {
                kind: error.kind.as_str().to_owned(),
                message: error.message,
            });
        vectors::matches(expect, &outcome, &self.workspace)
    }

    fn step(&mut self, step: &PlanStep) -> Result<(), String> {
        match step {
            PlanStep::Record(record) => {
                let outcome = self.session(&record.by).record_plan(&record.record);
                self.check(&record.expect, outcome)
            }
            PlanStep::Together { together } => {
                let sessions: Vec<_> = together.iter().map(|record| self.session(&record.by)).collect();
                let outcomes = std::thread::scope(|scope| {
                    let threads: Vec<_> = sessions
                        .iter()
                        .zip(together)
                        .map(|(session, record)| scope.spawn(|| session.record_plan(&record.record)))
                        .collect();
                    threads
                        .into_iter()
                        .map(|thread| thread.join().unwrap())
                        .collect::<Vec<_>>()
                });
                let mut all = together.iter().zip(outcomes);
                all.try_for_each(|(record, outcome)| self.check(&record.expect, outcome))
            }
            PlanStep::Many { many, record, outcome } => (1..=*many).try_for_each(|number| {
                let by = By {
                    session: format!("s{number}"),
                    agent: None,
                };
                let recorded = self
                    .session(&by)
                    .record_plan(record)
                    .map_err(|error| error.to_string())?;
                match recorded.outcome.as_str() == outcome {
                    true => Ok(()),
                    false => Err(format!("session {number}: {recorded:?}")),
                }
            }),
            PlanStep::Replan { by, expect, .. } => {
                let outcome = self.session(by).replan();
                self.check(expect, outcome)
            }
            PlanStep::Recorded { recorded, by } => match self.session(by).plan_recorded() {
                found if found == *recorded => Ok(()),
                found => Err(format!("the flag of {by:?} is {found}")),
            },
            PlanStep::Turn { by, .. } => {
                self.session(by).new_turn();
                Ok(())
            }
            PlanStep::Remove { remove } => {
                let path = self.workspace.path(remove);
                let removed = match path.is_dir() {
                    true => std::fs::remove_dir(path),
                    false => std::fs::remove_file(path),
                };
                removed.map_err(|error| format!("{remove}: {error}"))
            }
            PlanStep::Times { times } => {
                let found = std::fs::metadata(self.workspace.path(times)).map_err(|error| error.to_string())?;
                let found = (found.ino(), found.mtime(), found.mtime_nsec());
                match self.times.insert(times.clone(), found) {
                    Some(before) if before != found => Err(format!("{times}: {before:?} became {found:?}")),
                    _ => Ok(()),
                }
            }
            PlanStep::Restart { .. } => {
                self.sessions.clear();
                self.host = start(&self.workspace, &self.config, &self.store)?;
                Ok(())
            }
        }
    }
}

fn run(row: &Row) -> Result<(), String> {
    let mut stage = Stage::new(row)?;
    for (index, step) in row.steps.iter().enumerate() {
        stage
            .step(step)
            .map_err(|error| format!("step {}: {error}", index + 1))?;
    }
    vectors::check_after(&row.after, &stage.workspace)
}

#[test]
fn plans() {
    let rows = vectors::load_table::<Row>("plans").rows;
    assert!(!rows.is_empty());
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|row| run(row).err().map(|failure| format!("{}: {failure}", row.id)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} rows failed:\n{}",
        failures.len(),
        rows.len(),
        failures.join("\n")
    );
}

/// A row that could be read as another step would not test what it says.
#[test]
fn misspelt_steps_are_refused() {
    for step in [
        serde_json::json!({"record": "A"}),
        serde_json::json!({"replan": true, "expect": {"ok": {}}, "bye": {}}),
        serde_json::json!({"turn": true, "by": {"sesion": "s"}}),
    ] {
        assert!(serde_json::from_value::<PlanStep>(step.clone()).is_err(), "{step}");
    }
}
