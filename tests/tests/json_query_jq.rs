//! The expressions of `vectors/jq.json`, evaluated by the tool `json_query` and by jq itself.

// What cannot be set up must fail the test.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::io::Write;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Deserializer, Value, json};
use toolgate::{Call, Session};
use toolgate_tests::rig::Rig;
use toolgate_tests::vectors;

/// The version of jq that the vectors describe; others differ from it in what the rows say.
const VERSION: &str = "jq-1.6";

/// The largest relative difference of two floats that count as equal: the last digit or two of
/// functions such as `tgamma`, which every mathematical library rounds in its own way.
const TOLERANCE: f64 = 1e-14;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Topic {
    topic: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    expression: String,
    #[serde(default = "null")]
    input: String,
    /// Why the tool gives another result than jq; absent if it gives the same.
    differs: Option<String>,
}

fn null() -> String {
    "null".to_owned()
}

/// All outputs, or the text of a failure.
type Outcome = Result<Vec<Value>, String>;

async fn by_tool(session: &Session, case: &Case) -> Outcome {
    let arguments = json!({"expression": case.expression, "data": case.input});
    match session.call(Call::new("json_query", arguments)).await {
        Ok(result) => Ok(result.value["results"].as_array().unwrap().clone()),
        Err(error) => Err(error.message),
    }
}

fn by_jq(case: &Case) -> Outcome {
    // The space keeps jq from taking an expression that starts with a minus for an option.
    let mut jq = Command::new("timeout")
        .args(["20", "jq", "-c", &format!(" {}", case.expression)])
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("jq and timeout are installed");
    // It may end without reading its input.
    drop(jq.stdin.take().unwrap().write_all(case.input.as_bytes()));
    let output = jq.wait_with_output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let values = Deserializer::from_slice(&output.stdout)
        .into_iter()
        .collect::<Result<_, _>>();
    Ok(values.unwrap_or_else(|error| panic!("{}: jq puts out {error}", case.id)))
}

fn same(tool: &Value, jq: &Value) -> bool {
    match (tool, jq) {
        (Value::Number(tool), Value::Number(jq)) => {
            let (tool, jq) = (tool.as_f64().unwrap(), jq.as_f64().unwrap());
            tool == jq || (tool - jq).abs() <= TOLERANCE * tool.abs().max(jq.abs())
        }
        (Value::Array(tool), Value::Array(jq)) => {
            tool.len() == jq.len() && tool.iter().zip(jq).all(|(tool, jq)| same(tool, jq))
        }
        (Value::Object(tool), Value::Object(jq)) => {
            let same_field = |(key, tool)| jq.get(key).is_some_and(|jq| same(tool, jq));
            tool.len() == jq.len() && tool.iter().all(same_field)
        }
        _ => tool == jq,
    }
}

fn agree(tool: &Outcome, jq: &Outcome) -> bool {
    match (tool, jq) {
        (Ok(tool), Ok(jq)) => tool.len() == jq.len() && tool.iter().zip(jq).all(|(tool, jq)| same(tool, jq)),
        (tool, jq) => tool.is_err() && jq.is_err(),
    }
}

#[tokio::test]
async fn expressions_mean_what_they_mean_to_jq() {
    let version = Command::new("jq").arg("--version").output().expect("jq is installed");
    let version = String::from_utf8_lossy(&version.stdout);
    if version.trim() != VERSION {
        // Each version has faults of its own, which are not differences of the tool.
        eprintln!(
            "not compared: this machine has {}, and the cases describe {VERSION}",
            version.trim()
        );
        return;
    }
    let rig = Rig::new(|_| {}, |builder| builder);
    let session = rig.session();
    let mut ids = HashSet::new();
    let mut failures = Vec::new();
    for topic in vectors::load_table::<Topic>("jq").rows {
        assert!(!topic.cases.is_empty(), "{} has no cases", topic.topic);
        for case in topic.cases {
            assert!(ids.insert(case.id.clone()), "{} is there twice", case.id);
            let (tool, jq) = (by_tool(&session, &case).await, by_jq(&case));
            let expected = case.differs.is_none();
            if agree(&tool, &jq) != expected {
                let verb = if expected { "differ from" } else { "agree with" };
                let (id, expression, input) = (&case.id, &case.expression, &case.input);
                failures.push(format!(
                    "{id}: {expression} on {input}: {tool:?} must not {verb} {jq:?}"
                ));
            }
        }
    }
    assert!(ids.len() >= 300, "{} cases", ids.len());
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        ids.len(),
        failures.join("\n")
    );
}
