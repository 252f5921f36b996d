//! The rows, each with a host, a session and servers of its own.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use toolgate::{Call, CallError, Mode, Session};
use toolgate_tests::net::{DnsServer, Request};
use toolgate_tests::vectors::{CallFailure, Workspace, load_table, matches, matches_value};

use crate::stage::{SOON, Setup, Stage};
use crate::table::{Received, Row, RowCall, Servers, Tls, written_out};

/// Stands in every address.
const IN_THE_PATH: &str = "T0KEN-in-the-path";
/// Values of variables with fewer bytes occur by chance.
const TELLING: usize = 5;

#[tokio::test]
async fn rows() {
    run(false).await;
}

/// The rows that wait.
#[tokio::test]
async fn slow_rows() {
    run(true).await;
}

async fn run(slow: bool) {
    let dns = DnsServer::table(&[]);
    let mut failures = Vec::new();
    let mut ran = 0;
    for row in load_table::<Value>("alert").rows {
        let (servers, row) = Servers::of(&row);
        if row.slow == slow {
            ran += 1;
            failures.extend(run_row(&row, &servers, &dns).await.err());
        }
    }
    assert!(ran > 0, "nothing ran");
    assert!(
        failures.is_empty(),
        "{} of {ran} failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

async fn run_row(row: &Row, servers: &Servers, dns: &DnsServer) -> Result<(), String> {
    let stage = start(row, servers, dns);
    let at = |what: String| move |error: String| format!("{}, {what}: {error}", row.id);
    described(row, &stage).map_err(at("the description".to_owned()))?;
    let session = stage.session();
    let workspace = Workspace::create(&[]).unwrap();
    for (number, call) in row.calls.iter().enumerate() {
        for (name, value) in &call.env {
            match value {
                Some(value) => stage.environment.set(name, value),
                None => stage.environment.remove(name),
            }
        }
        let outcome = make(call, &session, &stage, servers).await;
        check(call, &outcome, &workspace).map_err(at(format!("call {}", number + 1)))?;
    }
    received(row, servers, &workspace).map_err(at("what arrived".to_owned()))?;
    kept_secret(row, &stage).map_err(at("what is written down".to_owned()))
}

fn start(row: &Row, servers: &Servers, dns: &DnsServer) -> Stage {
    let mode = row.permissions.mode.as_deref().unwrap_or("yolo");
    let setup = Setup::targets(row.targets.clone())
        .mode(mode.parse::<Mode>().unwrap())
        .limit(&row.rate_limit)
        .config(|config| {
            config.permissions.allow.clone_from(&row.permissions.allow);
            config.permissions.deny.clone_from(&row.permissions.deny);
            config.permissions.plan_mode = row.permissions.plan_mode;
            config.url_scope.nameservers = vec![dns.address().to_string()];
            if row.tls == Some(Tls::Trusted) {
                config.url_scope.ca_file = Some(servers.authority.pem_file().to_owned());
            }
        });
    let variables = row.env.iter();
    variables
        .fold(setup, |setup, (name, value)| setup.variable(name, value))
        .start()
}

/// What the tool says of itself, if there is one.
fn described(row: &Row, stage: &Stage) -> Result<(), String> {
    if stage.rig.host.has_tool("alert") != row.registered {
        return Err(format!("registered is not {}", row.registered));
    }
    if row.registered {
        let description = stage.description();
        let (contains, lacks) = (&row.description.contains, &row.description.lacks);
        has_all(&description, contains).and_then(|()| has_none(&description, lacks))?;
    }
    Ok(())
}

async fn make(
    call: &RowCall,
    session: &Session,
    stage: &Stage,
    servers: &Servers,
) -> Result<Map<String, Value>, CallFailure> {
    let request = Call::new("alert", written_out(&call.args));
    let Some(after) = call.cancel_after_ms else {
        let started = Instant::now();
        let outcome = session.call(request).await;
        if let Some(most) = call.within_ms {
            assert!(
                started.elapsed() < Duration::from_millis(most),
                "{:?}",
                started.elapsed()
            );
        }
        return outcome.map(|result| result.value).map_err(|error| failure(&error));
    };
    let before = servers.first.received().len();
    let running = tokio::spawn({
        let session = session.clone();
        async move { session.call(request).await }
    });
    let started = Instant::now();
    while servers.first.received().len() == before {
        assert!(started.elapsed() < SOON, "the request does not arrive");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(after)).await;
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    // Long before the answer would have come.
    servers.first.recorder().wait_for_end(1, SOON);
    let record = stage.last_record();
    let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
    Err(CallFailure {
        kind: text("outcome"),
        message: text("message"),
    })
}

fn failure(error: &CallError) -> CallFailure {
    CallFailure {
        kind: error.kind.as_str().to_owned(),
        message: error.message.clone(),
    }
}

fn check(
    call: &RowCall,
    outcome: &Result<Map<String, Value>, CallFailure>,
    workspace: &Workspace,
) -> Result<(), String> {
    if let Ok(result) = outcome {
        let result = Value::Object(result.clone());
        has_none(&result.to_string(), &call.expect.not)?;
        if result.as_object().unwrap().len() != 3 {
            return Err(format!("the result has other members: {result}"));
        }
    }
    matches(&call.expect, &outcome.clone().map(Value::Object), workspace)
}

fn received(row: &Row, servers: &Servers, workspace: &Workspace) -> Result<(), String> {
    let requests = servers.first.received();
    let (count, other) = (requests.len(), servers.other.recorder().connections().len());
    if (count, other) != (row.received.len(), row.received_other) {
        return Err(format!(
            "{count} and {other} requests instead of {} and {}",
            row.received.len(),
            row.received_other
        ));
    }
    for (expected, request) in row.received.iter().zip(&requests) {
        is_as(expected, request, row.exact_bodies, workspace)?;
    }
    if row.identical_bodies && requests.windows(2).any(|pair| pair[0].body != pair[1].body) {
        return Err("the bodies differ".to_owned());
    }
    Ok(())
}

fn is_as(expected: &Received, request: &Request, exact: bool, workspace: &Workspace) -> Result<(), String> {
    if (request.method.as_str(), request.target.as_str()) != ("POST", expected.path.as_str()) {
        return Err(format!("{} {}", request.method, request.target));
    }
    for (name, value) in &expected.headers {
        let values: Vec<&str> = request.headers_named(name).collect();
        let [given] = values[..] else {
            return Err(format!("{name} is {values:?}"));
        };
        matches_value(value, Some(&json!(given)), workspace).map_err(|error| format!("{name}: {error}"))?;
    }
    if let Some(name) = expected
        .absent_headers
        .iter()
        .find(|name| request.header(name).is_some())
    {
        return Err(format!("there is a header {name}"));
    }
    let body = request.json().ok_or("the body is no JSON")?;
    let wanted = Value::Object(expected.body.clone());
    let wanted = if exact { wanted } else { json!({"$fields": wanted}) };
    matches_value(&wanted, Some(&body), workspace).map_err(|error| format!("the body: {error}"))
}

/// No secret of the row is in the log or the audit log.
fn kept_secret(row: &Row, stage: &Stage) -> Result<(), String> {
    let (log, audit) = (stage.log.all(), stage.audit());
    has_all(&log, &row.log.contains)?;
    has_none(&log, &row.log.lacks)?;
    let values = row
        .env
        .values()
        .map(|value| value.trim())
        .filter(|value| value.len() >= TELLING);
    let secrets: Vec<String> = values.chain([IN_THE_PATH]).map(str::to_owned).collect();
    has_none(&log, &secrets).map_err(|error| format!("log: {error}"))?;
    has_none(&audit, &secrets).map_err(|error| format!("audit: {error}"))?;
    if row.calls.is_empty() || audit.contains("\"tool\":\"alert\"") {
        return Ok(());
    }
    Err(format!("the calls are not there: {audit}"))
}

fn has_all(text: &str, parts: &[String]) -> Result<(), String> {
    match parts.iter().find(|part| !text.contains(*part)) {
        Some(part) => Err(format!("{part:?} is missing from {text}")),
        None => Ok(()),
    }
}

fn has_none(text: &str, parts: &[String]) -> Result<(), String> {
    match parts.iter().find(|part| text.contains(*part)) {
        Some(part) => Err(format!("{part:?} stands in {text}")),
        None => Ok(()),
    }
}
