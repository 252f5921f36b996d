//! The template `generic`: the alert as it is, for programs.

use serde_json::{Value, json};

use super::Alert;

pub(super) fn body(alert: &Alert<'_>) -> Value {
    let mut body = json!({"level": alert.level.name(), "summary": alert.summary});
    if !alert.details.is_empty() {
        body["details"] = json!(alert.details);
    }
    body
}
