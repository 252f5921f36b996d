//! Rows of `modes.json`, `patterns.json` and `caps.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::setup::Step;

/// What the gate says.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The call runs without asking.
    Pass,
    /// The operator is asked.
    Prompt,
    /// The call fails and nobody is asked.
    Refuse,
}

/// An operation on a file and the verdict on it in each mode.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationRow {
    /// What is done, for example `in-scope-read`.
    pub id: String,
    /// Why, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// A tool that does it; a write may have any content.
    pub tool: String,
    /// The path it is done to.
    #[serde(default)]
    pub path: String,
    /// What is presented instead of a path: `command`, `hook`, `key`, or the
    /// arguments of a tool of another set, whose name stands before a `/` in `tool`.
    #[serde(default)]
    pub request: Option<RequestRow>,
    /// Whether the built-in allow rules are in force.
    #[serde(default)]
    pub builtin_allow: bool,
    /// Whether a plan is required and none is recorded.
    #[serde(default)]
    pub plan_required: bool,
    /// What lies on disk before.
    #[serde(default)]
    pub setup: Vec<Step>,
    /// Permission rules that allow.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Permission rules that deny.
    #[serde(default)]
    pub deny: Vec<String>,
    /// Patterns of `path_scope.deny`.
    #[serde(default)]
    pub path_scope_deny: Vec<String>,
    /// Names in `path_scope.lift`.
    #[serde(default)]
    pub path_scope_lift: Vec<toolgate::scope::MandatoryClass>,
    /// The setting `permissions.unscoped`.
    #[serde(default)]
    pub unscoped: bool,
    /// The verdict by mode; the suffix `+prompter` means that somebody can be asked.
    pub verdicts: BTreeMap<String, Verdict>,
    /// What every refusal of this operation must name, regardless of case.
    #[serde(default)]
    pub refusal_names: Vec<String>,
}

/// What a request without a path presents.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestRow {
    /// A shell command.
    Command(String),
    /// A command of the operator's configuration.
    Hook(String),
    /// A URL, a channel, a peer, an agent.
    Key(String),
    /// The arguments of a tool that says it only reads, or says nothing.
    Arguments {
        /// All of them.
        given: serde_json::Map<String, serde_json::Value>,
        /// Whether it only reads.
        #[serde(default)]
        read_only: bool,
    },
}

/// One cell of the matrix.
#[derive(Clone, Debug)]
pub struct ModeCase<'a> {
    /// For reports: operation and column.
    pub id: String,
    /// The operation.
    pub operation: &'a OperationRow,
    /// Permission mode in its configuration spelling.
    pub mode: &'a str,
    /// Whether somebody can be asked.
    pub prompter: bool,
    /// What the gate must say.
    pub verdict: Verdict,
}

/// The matrix taken apart, one case for each operation and column.
pub fn mode_cases(operations: &[OperationRow]) -> impl Iterator<Item = ModeCase<'_>> {
    operations.iter().flat_map(|operation| {
        operation.verdicts.iter().map(move |(column, verdict)| {
            let stripped = column.strip_suffix("+prompter");
            ModeCase {
                id: format!("{} in {column}", operation.id),
                operation,
                mode: stripped.unwrap_or(column),
                prompter: stripped.is_some(),
                verdict: *verdict,
            }
        })
    })
}

/// Permission rules against one request, or a rule that must be refused or remarked on when it is loaded.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternRow {
    /// Unique within the file.
    pub id: String,
    /// Why, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// Rules that allow.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Rules that deny.
    #[serde(default)]
    pub deny: Vec<String>,
    /// The policy tool name of the request.
    #[serde(default)]
    pub tool: Option<String>,
    /// The key of the request.
    #[serde(default)]
    pub key: Option<String>,
    /// `allow`, `deny` or `none`. Absent in rows about loading only.
    #[serde(default)]
    pub expect: Option<String>,
    /// Loading must fail and the message names these, regardless of case.
    #[serde(default)]
    pub load_error: Option<Vec<String>>,
    /// Loading must remark on the rule, naming these, regardless of case.
    #[serde(default)]
    pub load_warning: Option<Vec<String>>,
}

/// The output limits in force for one tool under one configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapsRow {
    /// Unique within the file.
    pub id: String,
    /// Why, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// What the operator wrote under `tool_output`.
    #[serde(default)]
    pub config: CapsConfig,
    /// The tool.
    pub tool: String,
    /// The limits in the tool's own definition, for a tool that the host ships no entry for.
    #[serde(default)]
    pub defined: Option<CapsValue>,
    /// The limits in force.
    pub effective: CapsValue,
}

/// The section `tool_output` of the configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CapsConfig {
    /// Bytes, for every tool.
    pub max_bytes: Option<i64>,
    /// Lines, entries or matches, for every tool.
    pub max_lines: Option<i64>,
    /// Limits by tool name.
    pub per_tool: BTreeMap<String, CapsValue>,
}

/// A pair of limits; an absent value is not set.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct CapsValue {
    /// Bytes.
    pub max_bytes: Option<i64>,
    /// Lines, entries or matches.
    pub max_lines: Option<i64>,
}
