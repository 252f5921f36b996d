//! The command line as the last layer.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::clean::put;
use super::key_path::KeyPath;
use super::layer::Layer;
use super::problem::Problem;
use super::schema::AllowPath;
use crate::gate::Mode;

/// What the flags say; each is laid over the files.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--mode`.
    pub mode: Option<Mode>,
    /// `--yolo`: the mode `yolo`, and nobody is asked.
    pub yolo: bool,
    /// `--allow`: rules, added.
    pub allow: Vec<String>,
    /// `--deny`: rules, added.
    pub deny: Vec<String>,
    /// `--allow-path`: entries, added. See [`parse_allow_path`].
    pub allow_path: Vec<AllowPath>,
    /// `--allow-url-host`: lists separated by commas, added.
    pub allow_url_host: Vec<String>,
    /// `--disable-tools`: lists separated by commas, added.
    pub disable_tools: Vec<String>,
    /// `--enable-tools`: names that must be enabled.
    pub enable_tools: Vec<String>,
    /// `--no-builtin-tools`.
    pub no_builtin_tools: bool,
    /// `--plugin`: files, added.
    pub plugins: Vec<String>,
    /// `--plan-mode`; wins over `plan_first`.
    pub plan_mode: Option<String>,
    /// `--plan-first`: `plan_mode: required`, or `off`.
    pub plan_first: Option<bool>,
    /// `--bash-search-gate`.
    pub bash_search_gate: Option<String>,
    /// `--no-digest`.
    pub no_digest: bool,
}

impl Flags {
    pub(super) fn layer(&self) -> Result<Layer, Vec<Problem>> {
        let mut layer = Builder::default();
        let mode = self.mode.map(|mode| json!(mode.as_str()));
        layer.set("permissions.mode", "--mode", mode);
        if self.yolo {
            layer.set("permissions.mode", "--yolo", Some(json!("yolo")));
        }
        layer.list(
            "permissions.allow",
            "--allow",
            self.allow.iter().map(|rule| json!(rule)),
        );
        layer.list("permissions.deny", "--deny", self.deny.iter().map(|rule| json!(rule)));
        layer.list(
            "path_scope.allow_paths",
            "--allow-path",
            self.allow_path.iter().map(|entry| json!(entry)),
        );
        layer.list(
            "url_scope.allow",
            "--allow-url-host",
            names(&self.allow_url_host).map(|host| json!(host)),
        );
        layer.list(
            "tools.disable",
            "--disable-tools",
            names(&self.disable_tools).map(|name| json!(name)),
        );
        if self.no_builtin_tools {
            layer.set("tools.use_builtin", "--no-builtin-tools", Some(json!(false)));
        }
        layer.list("tools.plugins", "--plugin", self.plugins.iter().map(|file| json!(file)));
        let plan_first = self
            .plan_first
            .map(|first| json!(if first { "required" } else { "off" }));
        layer.set("permissions.plan_mode", "--plan-first", plan_first);
        let plan_mode = self.plan_mode.as_ref().map(|mode| json!(mode));
        layer.set("permissions.plan_mode", "--plan-mode", plan_mode);
        let gate = self.bash_search_gate.as_ref().map(|posture| json!(posture));
        layer.set("safety.bash_search_gate", "--bash-search-gate", gate);
        if self.no_digest {
            layer.set("tool_output.digest", "--no-digest", Some(json!(false)));
        }
        Layer::flags(layer.value, layer.flags)
    }

    /// The names given with `--enable-tools`.
    pub(super) fn enabled(&self) -> impl Iterator<Item = &str> {
        names(&self.enable_tools)
    }
}

struct Builder {
    value: Value,
    flags: BTreeMap<KeyPath, String>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            value: json!({}),
            flags: BTreeMap::new(),
        }
    }
}

impl Builder {
    fn set(&mut self, key: &str, flag: &str, value: Option<Value>) {
        if let Some(value) = value {
            let path = KeyPath::of(key);
            put(&mut self.value, &path, value);
            self.flags.insert(path, flag.to_owned());
        }
    }

    fn list(&mut self, key: &str, flag: &str, entries: impl Iterator<Item = Value>) {
        let entries: Vec<Value> = entries.collect();
        let value = (!entries.is_empty()).then_some(Value::Array(entries));
        self.set(key, flag, value);
    }
}

fn names(lists: &[String]) -> impl Iterator<Item = &str> {
    let all = lists.iter().flat_map(|list| list.split(','));
    all.map(str::trim).filter(|name| !name.is_empty())
}

/// Reads `PATH:ACCESS`, split at the last colon.
///
/// # Errors
/// Names the text and what is missing.
pub fn parse_allow_path(text: &str) -> Result<AllowPath, String> {
    let (path, access) = text
        .rsplit_once(':')
        .ok_or_else(|| format!("{text:?} has no access; write it as PATH:r, PATH:w or PATH:rw"))?;
    if path.is_empty() {
        return Err(format!("{text:?} has no path; write it as PATH:r, PATH:w or PATH:rw"));
    }
    let entry = AllowPath {
        path: path.to_owned(),
        access: access.to_owned(),
        mode: None,
    };
    entry.parsed_access().map(|_| entry)
}
