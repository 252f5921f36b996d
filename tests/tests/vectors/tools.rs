//! Tables of tool calls, and the output limits.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use toolgate::catalog::Caps;
use toolgate::config::{CapsConfig, Config, ToolOutput};
use toolgate::gate::Asked;
use toolgate::output::CapsTable;
use toolgate::session::store::SqliteStore;
use toolgate::{Call, Decision, PromptRequest, Prompter, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{self, CallFailure, Row, Workspace};

use super::verdict;

/// Answers every question alike, and counts them.
pub(crate) struct Answer {
    pub(crate) decision: Decision,
    pub(crate) count: Arc<AtomicUsize>,
}

impl Prompter for Answer {
    fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
        self.count.fetch_add(1, Ordering::SeqCst);
        let decision = self.decision;
        Box::pin(async move { Ok(decision.into()) })
    }
}

fn config(row: &vectors::Config) -> Config {
    let mut config = Config::default();
    config.permissions.mode = row.mode.parse().unwrap();
    config.permissions.allow.clone_from(&row.allow);
    config.permissions.deny.clone_from(&row.deny);
    config.path_scope.deny.clone_from(&row.path_scope_deny);
    config.tool_output.digest = row.digest;
    config.permissions.plan_mode = row
        .plan_mode
        .as_ref()
        .map(|mode| serde_json::from_value(Value::String(mode.clone())).unwrap());
    if let Some(caps) = &row.caps {
        let entry = CapsConfig {
            max_bytes: i64::try_from(caps.max_bytes.unwrap_or(0)).unwrap(),
            max_lines: i64::try_from(caps.max_lines.unwrap_or(0)).unwrap(),
        };
        config.tool_output.per_tool = BTreeMap::from([(caps.tool.clone(), entry)]);
    }
    config
}

async fn run(row: &Row) -> Result<(), String> {
    let workspace = Workspace::create(&row.setup)?;
    let expanded = row.config.expanded(&workspace);
    let mut builder = builder(workspace.inside()).config(config(&expanded));
    if expanded.session.is_some() {
        builder = builder.store(Arc::new(SqliteStore::in_memory().unwrap()));
    }
    let host = builder.build().map_err(|error| format!("{}: {error}", row.id))?;
    let decision = match expanded.prompter {
        vectors::Prompter::None => None,
        vectors::Prompter::Deny => Some(Decision::Deny),
        vectors::Prompter::AllowOnce => Some(Decision::Once),
    };
    let session = host.session(SessionOptions {
        prompter: decision.map(|decision| {
            Arc::new(Answer {
                decision,
                count: workspace.prompts(),
            }) as Arc<dyn Prompter>
        }),
        id: expanded.session.clone(),
        ..SessionOptions::default()
    });
    vectors::run_row(row, &workspace, async |tool, arguments| {
        match session.call(Call::new(tool, arguments)).await {
            Ok(result) => Ok(Value::Object(result.value)),
            Err(error) => Err(CallFailure {
                kind: error.kind.as_str().to_owned(),
                message: error.message,
            }),
        }
    })
    .await
}

async fn table(name: &str) {
    let rows = vectors::load(name).rows;
    let mut failures = Vec::new();
    for row in &rows {
        if let Err(failure) = run(row).await {
            failures.push(failure);
        }
    }
    verdict(name, rows.len(), failures);
}

#[tokio::test]
async fn read_file() {
    table("read_file").await;
}

#[tokio::test]
async fn write_file() {
    table("write_file").await;
}

#[tokio::test]
async fn stat() {
    table("stat").await;
}

#[tokio::test]
async fn list_dir() {
    table("list_dir").await;
}

#[tokio::test]
async fn grep() {
    table("grep").await;
}

#[tokio::test]
async fn read_many_files() {
    table("read_many_files").await;
}

#[tokio::test]
async fn edit_file() {
    table("edit_file").await;
}

#[tokio::test]
async fn delete_file() {
    table("delete_file").await;
}

#[tokio::test]
async fn glob() {
    table("glob").await;
}

#[tokio::test]
async fn todo() {
    table("todo").await;
}

#[tokio::test]
async fn record_plan() {
    table("record_plan").await;
}

#[tokio::test]
async fn json_query() {
    table("json_query").await;
}

#[tokio::test]
async fn view_file_outline() {
    table("view_file_outline").await;
}

#[test]
fn caps() {
    let rows = vectors::load_table::<vectors::CapsRow>("caps").rows;
    let mut failures = Vec::new();
    for row in &rows {
        let mut output = ToolOutput::default();
        let global =
            |value: Option<i64>, default: u64| value.map_or(default, |value| u64::try_from(value).unwrap_or(0));
        output.max_bytes = global(row.config.max_bytes, output.max_bytes);
        output.max_lines = global(row.config.max_lines, output.max_lines);
        for (tool, caps) in &row.config.per_tool {
            let entry = CapsConfig {
                max_bytes: caps.max_bytes.unwrap_or(0),
                max_lines: caps.max_lines.unwrap_or(0),
            };
            output.per_tool.insert(tool.clone(), entry);
        }
        let unsigned = |value: Option<i64>| u64::try_from(value.unwrap_or(0)).unwrap_or(0);
        let own = row.defined.map(|caps| Caps {
            max_bytes: unsigned(caps.max_bytes),
            max_lines: unsigned(caps.max_lines),
        });
        let found = CapsTable::new(output, 65_536).get(&row.tool, own);
        if (found.max_bytes, found.max_lines) != (unsigned(row.effective.max_bytes), unsigned(row.effective.max_lines))
        {
            failures.push(format!("{}: {found:?}, expected {:?}", row.id, row.effective));
        }
    }
    verdict("caps", rows.len(), failures);
}
