//! The rows of `refusals.json`: errors do not send anybody to a tool that is not there.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate::config::PlanMode;
use toolgate::{Call, Config, Host, Mode, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{Step, Workspace, load_table};

use crate::{NAMES, names, verdict};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    tool: String,
    #[serde(default)]
    setup: Vec<Step>,
    args: Map<String, Value>,
    /// Texts of the error.
    err: Vec<String>,
}

fn host(workspace: &Workspace, without: Vec<String>) -> Result<Host, String> {
    let mut config = Config::default();
    config.tools.disable = without;
    config.permissions.plan_mode = Some(PlanMode::Advisory);
    let builder = builder(workspace.inside()).mode(Mode::Yolo).config(config);
    let builder = builder.agents_dir(workspace.outside());
    builder.build().map_err(|error| error.to_string())
}

async fn run(row: &Row, tools: &[String]) -> Result<(), String> {
    let workspace = Workspace::create(&row.setup)?;
    let others = tools.iter().filter(|name| **name != row.tool).cloned().collect();
    for without in [Vec::new(), others] {
        let host = host(&workspace, without)?;
        let session = host.session(SessionOptions::default());
        let arguments = workspace.expand_value(&Value::Object(row.args.clone()));
        let error = match session.call(Call::new(row.tool.as_str(), arguments)).await {
            Ok(result) => return Err(format!("succeeds: {}", result.text)),
            Err(error) => error.message,
        };
        // What the row wrote is not what the tool says.
        let text = row
            .args
            .values()
            .filter_map(Value::as_str)
            .filter(|given| given.len() > 1);
        let text = text.fold(error.clone(), |text, given| text.replace(given, ""));
        let there: Vec<_> = host.tools().into_iter().map(|tool| tool.name).collect();
        let strangers = NAMES.iter().filter(|name| !there.iter().any(|there| there == *name));
        let named: Vec<_> = strangers.filter(|name| names(&text, name)).collect();
        if !named.is_empty() {
            return Err(format!("names {named:?} where there are {there:?}: {error}"));
        }
        if let Some(part) = row.err.iter().find(|part| !error.contains(*part)) {
            return Err(format!("the error lacks {part:?}: {error}"));
        }
    }
    Ok(())
}

/// A tool without a row would not be checked: there is one for each.
#[tokio::test]
async fn refusals() {
    let rows = load_table::<Row>("refusals").rows;
    let empty = Workspace::create(&[]).unwrap();
    let tools: Vec<_> = host(&empty, Vec::new())
        .unwrap()
        .tools()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    let mut failures: Vec<_> = tools
        .iter()
        .filter(|tool| !rows.iter().any(|row| row.tool == **tool))
        .map(|tool| format!("{tool} has no row"))
        .collect();
    let mut ran = 0;
    for row in rows.iter().filter(|row| tools.contains(&row.tool)) {
        ran += 1;
        if let Err(failure) = run(row, &tools).await {
            failures.push(format!("{}-{}: {failure}", row.tool, row.id));
        }
    }
    verdict("refusals", ran, &failures);
}
