//! The decision matrix: each operation in each mode, with and without somebody to ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolgate::config::PlanMode;
use toolgate::gate::Request;
use toolgate::{Call, CallError, Config, Decision, ErrorKind, Prompter, Session, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{self, ModeCase, OperationRow, RequestRow, Verdict, Workspace, mode_cases};

use super::tools::Answer;
use super::verdict;

/// How much the sandbox lets through by itself.
#[derive(Clone, Copy, PartialEq)]
enum Sandbox {
    /// The project.
    Project,
    /// The whole file system, so that only the gate can refuse.
    Everything,
}

async fn run(case: &ModeCase<'_>, sandbox: Sandbox) -> Result<(), String> {
    let operation = case.operation;
    let workspace = Workspace::create(&operation.setup)?;
    let rules = |rules: &[String]| rules.iter().map(|rule| workspace.expand_rule(rule)).collect();
    let mut config = Config::default();
    config.permissions.mode = case.mode.parse()?;
    config.permissions.allow = rules(&operation.allow);
    config.permissions.deny = rules(&operation.deny);
    config.permissions.unscoped = operation.unscoped;
    config.permissions.use_builtin_allow = Some(operation.builtin_allow);
    if operation.plan_required {
        config.permissions.plan_mode = Some(PlanMode::Required);
    }
    config.path_scope.deny = operation
        .path_scope_deny
        .iter()
        .map(|pattern| workspace.expand(pattern))
        .collect();
    config.path_scope.lift.clone_from(&operation.path_scope_lift);
    if sandbox == Sandbox::Everything {
        config.permissions.allow_filesystem_root = true;
        config.path_scope.allow = vec!["/...".to_owned()];
    }
    let host = builder(workspace.inside())
        .config(config)
        .build()
        .map_err(|error| error.to_string())?;
    let count = Arc::new(AtomicUsize::new(0));
    let session = host.session(SessionOptions {
        prompter: case.prompter.then(|| {
            Arc::new(Answer {
                decision: Decision::Once,
                count: Arc::clone(&count),
            }) as Arc<dyn Prompter>
        }),
        ..SessionOptions::default()
    });
    let outcome = match &operation.request {
        Some(request) => check(&session, &operation.tool, request).await,
        None => {
            let path = workspace.expand(&operation.path);
            let arguments = if operation.tool == "write_file" {
                json!({"path": path, "content": "new"})
            } else {
                json!({"path": path})
            };
            let call = Call::new(operation.tool.as_str(), arguments);
            session.call(call).await.map(drop)
        }
    };
    let asked = count.load(Ordering::SeqCst);
    let found = match (&outcome, asked) {
        (Ok(_), 0) => Verdict::Pass,
        (Ok(_), 1) => Verdict::Prompt,
        (Err(error), 0) if error.kind == ErrorKind::Denied => Verdict::Refuse,
        other => return Err(format!("neither passed, asked nor refused: {other:?}")),
    };
    if found != case.verdict {
        return Err(format!("{found:?}, expected {:?} ({outcome:?})", case.verdict));
    }
    if let Err(error) = &outcome {
        if error.rule.is_none() {
            return Err(format!("it was not the gate that refused: {error}"));
        }
        let message = error.message.to_lowercase();
        let missing = operation.refusal_names.iter().find(|name| {
            let name = workspace.expand(name).to_lowercase();
            !message.contains(&name)
        });
        if let Some(name) = missing {
            return Err(format!("the refusal does not name {name:?}: {}", error.message));
        }
    }
    Ok(())
}

async fn check(session: &Session, tool: &str, request: &RequestRow) -> Result<(), CallError> {
    let request = match request {
        RequestRow::Command(command) => Request::Command(command),
        RequestRow::Hook(command) => Request::Hook(command),
        RequestRow::Key(key) => Request::Key { tool, key },
        RequestRow::Arguments { given, read_only } => {
            let (namespace, tool) = tool.split_once('/').unwrap();
            Request::Named {
                namespace,
                tool,
                arguments: given,
                read_only: *read_only,
            }
        }
    };
    session.check(&request).await.map(drop)
}

#[tokio::test]
async fn modes() {
    let rows = vectors::load_table::<OperationRow>("modes").rows;
    let mut failures = Vec::new();
    let mut ran = 0;
    for case in mode_cases(&rows) {
        ran += 1;
        if let Err(failure) = run(&case, Sandbox::Project).await {
            failures.push(format!("{}: {failure}", case.id));
        }
    }
    verdict("modes", ran, failures);
}

/// The gate holds alone: the same verdicts where the sandbox would let
/// everything through. What is about the scope itself has no verdict then.
#[tokio::test]
async fn modes_with_a_sandbox_that_holds_nothing_back() {
    let rows = vectors::load_table::<OperationRow>("modes").rows;
    let about_scope = |row: &OperationRow| row.path.starts_with("O/");
    let mut failures = Vec::new();
    let mut ran = 0;
    for case in mode_cases(&rows).filter(|case| !about_scope(case.operation)) {
        ran += 1;
        if let Err(failure) = run(&case, Sandbox::Everything).await {
            failures.push(format!("{}: {failure}", case.id));
        }
    }
    verdict("modes without the sandbox", ran, failures);
}
