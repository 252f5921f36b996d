//! The configuration in force as text and as JSON, with the origin of each value and without secrets.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::clean::{Leaf, leaves, put};
use super::effective::{Effective, LoadedFile, Role};
use super::keys::{Merge, Support};
use super::origin::Origin;
use super::problem::Remark;
use super::redact::shown;

/// One value in force. Lists that layers add to have a row for each entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The key, such as `permissions.deny[2]`.
    pub key: String,
    /// The value as it may be shown.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

/// Every value in force, by key. Keys that this build does not heed have a row only if somebody set them.
pub fn rows(effective: &Effective) -> Vec<Row> {
    let whole = serde_json::to_value(&effective.config).unwrap_or_default();
    let mut rows = Vec::new();
    for leaf in leaves(whole) {
        if is_silent(&leaf, effective) {
            continue;
        }
        let row = |key: String, value: Value| Row {
            origin: effective.origins.of(&key).clone(),
            key,
            value,
        };
        let value = shown(&leaf.path, &leaf.value);
        match (&value, leaf.key.merge) {
            (Value::Array(entries), Merge::Append) if !entries.is_empty() => {
                for (index, entry) in entries.iter().enumerate() {
                    rows.push(row(leaf.path.index(index).to_string(), entry.clone()));
                }
            }
            _ => {
                rows.push(row(leaf.path.to_string(), value));
            }
        }
    }
    rows
}

/// Whether a value says nothing: nobody set it, and this build does not heed it, or it is the
/// version, where every number that may stand there means the same.
fn is_silent(leaf: &Leaf, effective: &Effective) -> bool {
    let is_heeded = leaf.key.support == Support::Here && leaf.key.pattern != "version";
    let key = leaf.path.to_string();
    let is_set = matches!(leaf.value, Value::Array(_))
        && *effective.origins.of(&format!("{key}[0]")) != Origin::Default
        || *effective.origins.of(&key) != Origin::Default;
    !is_heeded && !is_set
}

/// One line for each value, `key = value  # origin`, then files and remarks.
pub fn text(effective: &Effective) -> String {
    let rows = rows(effective);
    let lines: Vec<String> = rows.iter().map(|row| format!("{} = {}", row.key, row.value)).collect();
    let width = lines
        .iter()
        .map(|line| line.chars().count())
        .filter(|width| *width <= 60)
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for (line, row) in lines.iter().zip(&rows) {
        let _ = writeln!(out, "{line:width$}  # {}", row.origin);
    }
    if !effective.files.is_empty() {
        out.push_str("\nfiles:\n");
    }
    for file in &effective.files {
        let _ = writeln!(out, "  {} ({})", file.path.display(), standing(file));
    }
    if !effective.remarks.is_empty() {
        out.push_str("\nremarks:\n");
    }
    for remark in &effective.remarks {
        let _ = writeln!(out, "  {remark}");
    }
    out
}

/// The configuration alone, as a file would say it, without what this build does not heed and nobody set.
pub fn configuration(effective: &Effective) -> Value {
    let mut config = json!({});
    let whole = serde_json::to_value(&effective.config).unwrap_or_default();
    for leaf in leaves(whole) {
        if !is_silent(&leaf, effective) {
            put(&mut config, &leaf.path, shown(&leaf.path, &leaf.value));
        }
    }
    config
}

/// `{"config", "values": [{"key", "value", "origin"}], "files", "remarks"}`.
pub fn json(effective: &Effective) -> Value {
    let values: Vec<Value> = rows(effective)
        .into_iter()
        .map(|row| json!({"key": row.key, "value": row.value, "origin": row.origin.to_json()}))
        .collect();
    let files: Vec<Value> = effective
        .files
        .iter()
        .map(|file| {
            json!({
                "path": file.path.display().to_string(),
                "digest": file.digest.to_string(),
                "role": role(file.role),
                "trusted": file.trusted,
                "passed_over": file.passed_over.iter().map(remark).collect::<Vec<_>>(),
            })
        })
        .collect();
    let remarks: Vec<Value> = effective.remarks.iter().map(remark).collect();
    json!({"config": configuration(effective), "values": values, "files": files, "remarks": remarks})
}

fn remark(remark: &Remark) -> Value {
    json!({"key": remark.key, "text": remark.text, "origin": remark.origin.to_json()})
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Operator => "operator",
        Role::Project => "project",
    }
}

fn standing(file: &LoadedFile) -> String {
    let mut text = role(file.role).to_owned();
    if file.role == Role::Project {
        text += if file.trusted {
            ", trusted"
        } else {
            ", not trusted: it may only take away"
        };
    }
    match file.passed_over.len() {
        0 => {}
        1 => text += "; 1 key passed over",
        many => {
            let _ = write!(text, "; {many} keys passed over");
        }
    }
    text
}
