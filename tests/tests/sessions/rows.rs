//! The rows of `digest-sessions.json`: calls of one session, some under an id of the caller's.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate::config::StoreKind;
use toolgate::session::store::{SessionStore, SqliteStore};
use toolgate::{Call, Config, SessionOptions};
use toolgate_tests::rig::builder;
use toolgate_tests::vectors::{self, CallFailure, Expect, Step, Workspace};

use crate::stores::Special;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the table")]
    note: Option<String>,
    #[serde(default)]
    setup: Vec<Step>,
    /// What the session keeps things in.
    #[serde(default)]
    store: Store,
    /// `tool_output.digest`.
    #[serde(default = "yes")]
    digest: bool,
    calls: Vec<RowCall>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Store {
    #[default]
    Memory,
    /// `session.store = "off"`.
    Off,
    /// It takes no payloads.
    Full,
    /// It gives no payloads.
    Unreadable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowCall {
    tool: String,
    args: Map<String, Value>,
    /// The caller's name for the call.
    id: Option<String>,
    expect: Expect,
}

fn yes() -> bool {
    true
}

impl Store {
    fn made(&self) -> Option<Arc<dyn SessionStore>> {
        Some(match self {
            Self::Off => return None,
            Self::Memory => Arc::new(SqliteStore::in_memory().unwrap()),
            Self::Full => Arc::new(Special::full()),
            Self::Unreadable => Arc::new(Special::unreadable()),
        })
    }
}

async fn run(row: &Row) -> Result<(), String> {
    let workspace = Workspace::create(&row.setup)?;
    let mut config = Config::default();
    config.permissions.mode = toolgate::Mode::Yolo;
    config.tool_output.digest = row.digest;
    config.session.store = StoreKind::Off;
    let mut builder = builder(workspace.inside()).config(config);
    if let Some(store) = row.store.made() {
        builder = builder.store(store);
    }
    let host = builder.build().map_err(|error| error.to_string())?;
    let session = host.session(SessionOptions::default());
    for (index, one) in row.calls.iter().enumerate() {
        let arguments = workspace.expand_value(&Value::Object(one.args.clone()));
        let mut call = Call::new(one.tool.as_str(), arguments);
        if let Some(id) = &one.id {
            call = call.id(id);
        }
        let outcome = match session.call(call).await {
            Ok(result) => {
                let text: Value = serde_json::from_str(&result.text).map_err(|error| error.to_string())?;
                if text != Value::Object(result.value.clone()) {
                    return Err(format!("call {}: the text is another result: {text}", index + 1));
                }
                if result.payload.as_deref() != result.value.get("call_id").and_then(Value::as_str) {
                    return Err(format!("call {}: payload is {:?}", index + 1, result.payload));
                }
                Ok(text)
            }
            Err(error) => Err(CallFailure {
                kind: error.kind.as_str().to_owned(),
                message: error.message,
            }),
        };
        vectors::matches(&one.expect, &outcome, &workspace)
            .map_err(|error| format!("call {} ({}): {error}", index + 1, one.tool))?;
    }
    Ok(())
}

#[tokio::test]
async fn digest_sessions() {
    let rows = vectors::load_table::<Row>("digest-sessions").rows;
    assert!(!rows.is_empty());
    let mut failures = Vec::new();
    for row in &rows {
        if let Err(failure) = run(row).await {
            failures.push(format!("{}: {failure}", row.id));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} rows failed:\n{}",
        failures.len(),
        rows.len(),
        failures.join("\n")
    );
}
