//! What grants cover, step by step.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate::config::PlanMode;
use toolgate::gate::{GrantStore, PromptError, Request};
use toolgate::scope::Access;
use toolgate::{Call, CallError, Config, ErrorKind, Host, Mode, Session, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{self, Workspace};

use super::operator::Operator;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    #[serde(default)]
    plan_required: bool,
    #[serde(default)]
    builtin_allow: bool,
    #[serde(default)]
    store: Store,
    kept: Option<Vec<String>>,
    steps: Vec<Step>,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Store {
    #[default]
    None,
    Keeps,
    Fails,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    command: Option<String>,
    call: Option<String>,
    named: Option<String>,
    /// `tool/key`.
    key: Option<String>,
    #[serde(default)]
    arguments: Map<String, Value>,
    answer: Option<String>,
    #[serde(default)]
    asked: bool,
    expect: Option<String>,
    #[serde(default)]
    names: Vec<String>,
    session: Option<String>,
    subagent: Option<String>,
    source: Option<String>,
    deny: Option<String>,
    allow: Option<String>,
    mode: Option<String>,
    #[serde(default)]
    record_plan: bool,
    #[serde(default)]
    replan: bool,
    #[serde(default)]
    new_turn: bool,
}

/// Keeps what it gets, or has no room for it.
struct Kept {
    fails: bool,
    entries: Mutex<Vec<String>>,
}

impl Kept {
    fn keep(&self, entry: String) -> Result<(), String> {
        if self.fails {
            return Err("there is no room".to_owned());
        }
        self.entries.lock().unwrap().push(entry);
        Ok(())
    }
}

impl GrantStore for Kept {
    fn allow(&self, rule: &str) -> Result<(), String> {
        self.keep(format!("rule {rule}"))
    }

    fn allow_path(&self, pattern: &str, access: Access) -> Result<(), String> {
        self.keep(format!("path {pattern} {access}"))
    }
}

struct Scene<'a> {
    workspace: &'a Workspace,
    host: Host,
    operator: Arc<Operator>,
    sessions: HashMap<String, Session>,
}

impl Scene<'_> {
    fn session(&mut self, name: Option<&str>) -> Session {
        let options = SessionOptions {
            prompter: self.operator.prompter(),
            ..SessionOptions::default()
        };
        let name = name.unwrap_or("A").to_owned();
        let host = &self.host;
        self.sessions
            .entry(name)
            .or_insert_with(|| host.session(options))
            .clone()
    }

    /// Does the step's part that is no request; whether it was one.
    fn change(&mut self, step: &Step) -> bool {
        let session = self.session(step.session.as_deref());
        if let Some(rule) = &step.deny {
            session.deny(&self.workspace.expand_rule(rule)).unwrap();
        } else if let Some(rule) = &step.allow {
            session.allow(&self.workspace.expand_rule(rule)).unwrap();
        } else if let Some(mode) = &step.mode {
            session.set_mode(mode.parse::<Mode>().unwrap());
        } else if step.record_plan {
            session.record_plan("look, then change").unwrap();
        } else if step.replan {
            session.replan().unwrap();
        } else if step.new_turn {
            session.new_turn();
        } else {
            return false;
        }
        true
    }

    async fn request(&mut self, step: &Step) -> Result<(), CallError> {
        let mut session = self.session(step.session.as_deref());
        if let Some(name) = &step.subagent {
            session = session.subagent(name.as_str());
        }
        if let Some(tool) = &step.call {
            let arguments = step.arguments.iter().map(|(name, value)| {
                let value = value
                    .as_str()
                    .map_or(value.clone(), |text| self.workspace.expand(text).into());
                (name.clone(), value)
            });
            let call = Call::new(tool.as_str(), Value::Object(arguments.collect()));
            return session.call(call).await.map(drop);
        }
        let request = if let Some(command) = &step.command {
            Request::Command(command)
        } else if let Some(key) = &step.key {
            let (tool, key) = key.split_once('/').unwrap();
            Request::Key { tool, key }
        } else {
            let (namespace, tool) = step.named.as_deref().unwrap().split_once('/').unwrap();
            Request::Named {
                namespace,
                tool,
                arguments: &step.arguments,
                read_only: false,
            }
        };
        session.check(&request).await.map(drop)
    }
}

async fn run(row: &Row, workspace: &Workspace) -> Result<(), String> {
    let mut config = Config::default();
    config.permissions.use_builtin_allow = Some(row.builtin_allow);
    if row.plan_required {
        config.permissions.plan_mode = Some(PlanMode::Required);
    }
    let kept = Arc::new(Kept {
        fails: row.store == Store::Fails,
        entries: Mutex::default(),
    });
    let mut builder = builder(workspace.inside()).config(config);
    if row.store != Store::None {
        builder = builder.grant_store(Arc::clone(&kept) as Arc<dyn GrantStore>);
    }
    let mut scene = Scene {
        workspace,
        host: builder.build().map_err(|error| error.to_string())?,
        operator: Arc::default(),
        sessions: HashMap::new(),
    };
    for (number, step) in row.steps.iter().enumerate() {
        let fail = |what: String| Err(format!("step {}: {what}", number + 1));
        if scene.change(step) {
            continue;
        }
        match step.answer.as_deref() {
            Some("error") => scene
                .operator
                .says(Err(PromptError::Failed("the line is dead".to_owned()))),
            Some(answer) => scene.operator.says(Ok(answer.parse()?)),
            None => {}
        }
        let outcome = scene.request(step).await;
        let questions = scene.operator.asked();
        if questions.len() != usize::from(step.asked) {
            return fail(format!("{} questions were asked; {outcome:?}", questions.len()));
        }
        if let (Some(source), Some(question)) = (&step.source, questions.first())
            && question.source.as_ref() != Some(source)
        {
            return fail(format!("the question names {:?}", question.source));
        }
        let found = match &outcome {
            Ok(()) => "pass",
            Err(error) if error.kind == ErrorKind::Denied => "refuse",
            Err(error) => return fail(format!("neither passed nor refused: {error}")),
        };
        if Some(found) != step.expect.as_deref() {
            return fail(format!("{found}: {outcome:?}"));
        }
        if let Err(error) = &outcome {
            if error.rule.is_none() {
                return fail(format!("the refusal names no rule: {error}"));
            }
            if let Some(name) = step.names.iter().find(|name| !error.message.contains(*name)) {
                return fail(format!("the refusal does not name {name:?}: {error}"));
            }
        }
    }
    if let Some(expected) = &row.kept {
        let expected: Vec<String> = expected.iter().map(|entry| expand(workspace, entry)).collect();
        let entries = kept.entries.lock().unwrap();
        if *entries != expected {
            return Err(format!("the store got {entries:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// `path W/a r` and `rule write_file:W/a` with the real directories.
fn expand(workspace: &Workspace, entry: &str) -> String {
    match entry.split_once(' ') {
        Some(("path", rest)) => {
            let (path, access) = rest.rsplit_once(' ').unwrap();
            format!("path {} {access}", workspace.expand(path))
        }
        Some(("rule", rule)) => format!("rule {}", workspace.expand_rule(rule)),
        _ => entry.to_owned(),
    }
}

#[tokio::test]
async fn grants() {
    let table = vectors::load_table::<Row>("grants");
    let mut failures = Vec::new();
    for row in &table.rows {
        let workspace = Workspace::create(&table.setup).unwrap();
        if let Err(failure) = run(row, &workspace).await {
            failures.push(format!("{}: {failure}", row.id));
        }
    }
    assert!(!table.rows.is_empty());
    assert!(
        failures.is_empty(),
        "{} rows differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
