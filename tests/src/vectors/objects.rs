//! Rows of `path-objects.json`.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::after::After;
use super::setup::Step;

/// Calls whose outcome depends on the object that is opened. Paths are expanded as in tool tables.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectRow {
    /// Unique within the file.
    pub id: String,
    /// Why, where that is not plain.
    #[serde(default)]
    pub note: Option<String>,
    /// What lies on disk before the host starts.
    pub setup: Vec<Step>,
    /// The setting `path_scope.hardlinks`.
    #[serde(default)]
    pub hardlinks: Option<String>,
    /// The setting `path_scope.cross_device`.
    #[serde(default)]
    pub cross_device: bool,
    /// What is mounted; such a row needs root.
    #[serde(default)]
    pub bind: Option<Bind>,
    /// What somebody else does meanwhile.
    #[serde(default)]
    pub swap: Option<Swap>,
    /// How often the calls are made; once when absent.
    #[serde(default)]
    pub times: Option<usize>,
    /// The longest one call may take, in milliseconds; absent means unlimited.
    #[serde(default)]
    pub within_ms: Option<u64>,
    /// Texts that no result and no error may hold.
    #[serde(default)]
    pub never: Vec<String>,
    /// The calls, in this order.
    pub calls: Vec<ObjectCall>,
    /// What holds when all calls are done.
    #[serde(default)]
    pub after: Vec<After>,
}

/// Something mounted on a path of the tree.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bind {
    /// What is seen there.
    pub from: String,
    /// The mount point, which exists.
    pub at: String,
}

/// Two names that are exchanged all the time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swap {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
}

/// One call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectCall {
    /// The tool's name.
    pub tool: String,
    /// The arguments.
    pub args: Map<String, Value>,
    /// What must come of it.
    pub outcome: ObjectOutcome,
    /// A text that the result holds.
    #[serde(default)]
    pub holds: Option<String>,
}

/// Whether a call succeeds.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum ObjectOutcome {
    /// It does.
    Ok,
    /// It does not.
    Refused,
    /// A race decides.
    Either,
}
