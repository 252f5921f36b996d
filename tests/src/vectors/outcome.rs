//! What a call must come to: a result, a failure or a denial.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Workspace;
use super::matcher::{has_fields, shown};

/// How a call failed.
#[derive(Clone, Debug)]
pub struct CallFailure {
    /// The error kind in its wire spelling, for example `not_found`.
    pub kind: String,
    /// What the caller is told.
    pub message: String,
}

/// The expectation of one call. Either `ok` is given, or `err`, or `denied`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// The call succeeds and these fields of the result match; other fields are free.
    pub ok: Option<Map<String, Value>>,
    /// The call fails and its message contains each of these, regardless of case. Empty: any failure will do.
    pub err: Option<Vec<String>>,
    /// The message contains at least one of these, regardless of case.
    pub err_any: Vec<String>,
    /// None of these occurs in the message, regardless of case.
    pub not: Vec<String>,
    /// The error kind.
    pub kind: Option<String>,
    /// The call is refused: the same as kind `denied`.
    pub denied: bool,
}

/// Compares the outcome of a call with its expectation; the error names the field, what was expected and what came.
pub fn matches(expected: &Expect, actual: &Result<Value, CallFailure>, workspace: &Workspace) -> Result<(), String> {
    let failure_wanted = expected.err.is_some() || expected.denied || !expected.err_any.is_empty();
    match (&expected.ok, failure_wanted, actual) {
        (Some(fields), false, Ok(result)) => match result.as_object() {
            Some(actual) => has_fields(fields, actual, workspace),
            None => Err(format!("expected a JSON object, got {}", shown(result))),
        },
        (Some(_), false, Err(failure)) => Err(format!(
            "expected success, got the error {} {:?}",
            failure.kind, failure.message
        )),
        (None, true, Ok(result)) => Err(format!("expected a failure, got {}", shown(result))),
        (None, true, Err(failure)) => matches_failure(expected, failure, workspace),
        _ => Err("the row must expect either ok or a failure".to_owned()),
    }
}

fn matches_failure(expected: &Expect, failure: &CallFailure, workspace: &Workspace) -> Result<(), String> {
    let kind = if expected.denied {
        Some("denied")
    } else {
        expected.kind.as_deref()
    };
    if let Some(kind) = kind.filter(|kind| *kind != failure.kind) {
        return Err(format!(
            "kind: expected {kind}, got {} with {:?}",
            failure.kind, failure.message
        ));
    }
    let message = failure.message.to_lowercase();
    let occurs = |part: &String| message.contains(&workspace.expand(part).to_lowercase());
    let got = || format!("got {:?}", failure.message);
    if let Some(part) = expected.err.iter().flatten().find(|part| !occurs(part)) {
        return Err(format!("error message: expected to contain {part:?}, {}", got()));
    }
    if !expected.err_any.is_empty() && !expected.err_any.iter().any(occurs) {
        return Err(format!(
            "error message: expected one of {:?}, {}",
            expected.err_any,
            got()
        ));
    }
    match expected.not.iter().find(|part| occurs(part)) {
        Some(part) => Err(format!("error message: must not contain {part:?}, {}", got())),
        None => Ok(()),
    }
}
