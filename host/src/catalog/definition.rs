//! What a tool says of itself, checked before anybody believes it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest tool name.
const MAX_NAME: usize = 64;
/// Longest description, in bytes.
const MAX_DESCRIPTION: usize = 16 << 10;
/// Longest schema, in bytes of JSON.
const MAX_SCHEMA: usize = 64 << 10;

/// What a caller may assume of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Class {
    /// Changes nothing anywhere.
    pub read_only: bool,
    /// May destroy what was there before.
    pub destructive: bool,
    /// Calling twice with the same arguments has no further effect.
    pub idempotent: bool,
    /// Reaches things outside the host.
    pub open_world: bool,
}

/// What kind of thing a declared access names; for a path, how far it reaches from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// This entry alone.
    File,
    /// A directory and everything below it, or one file.
    Tree,
    /// A directory and its listing.
    Directory,
    /// A URL to request.
    Url,
    /// A channel to send to, by name.
    Channel,
}

impl Target {
    /// Whether the argument is a path.
    pub const fn is_path(self) -> bool {
        matches!(self, Self::File | Self::Tree | Self::Directory)
    }
}

/// What a tool wants to do with something it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Operations {
    /// Content, metadata, listing.
    pub read: bool,
    /// Change what exists.
    pub write: bool,
    /// Make what does not exist.
    pub create: bool,
    /// Remove.
    pub delete: bool,
    /// Hand something over, to a URL or a channel.
    pub send: bool,
}

impl Operations {
    /// Removing alone.
    pub const DELETE: Self = Self {
        read: false,
        write: false,
        create: false,
        delete: true,
        send: false,
    };

    /// Whether anything may change.
    pub const fn changes(self) -> bool {
        self.write || self.create || self.delete
    }

    /// One word for prompts and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self { write: true, .. } => "write",
            Self { delete: true, .. } => "delete",
            Self { create: true, .. } => "create",
            Self { send: true, .. } => "send",
            Self { .. } => "read",
        }
    }
}

/// One declared access.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The argument that names it: a string, or a list of strings.
    pub argument: String,
    /// How far it reaches.
    pub target: Target,
    /// What is wanted.
    pub operations: Operations,
    /// Used when the argument is absent or empty.
    pub default: Option<String>,
    /// Wanted only in calls that give this other argument.
    pub when: Option<String>,
    /// A refusal does not fail the call; the tool learns of it.
    pub lenient: bool,
}

/// What arguments are held to beyond their schema, before anybody is asked:
/// rules that the schemas of model providers cannot express.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// One of the arguments is given, and no more.
    ExactlyOne(Vec<String>),
    /// One of the arguments is given, or several.
    AtLeastOne(Vec<String>),
    /// One of the arguments is given, or none.
    AtMostOne(Vec<String>),
    /// Two arguments differ.
    Distinct(String, String),
}

impl Rule {
    /// The arguments that it speaks of.
    pub fn arguments(&self) -> Vec<&str> {
        match self {
            Self::ExactlyOne(names) | Self::AtLeastOne(names) | Self::AtMostOne(names) => {
                names.iter().map(String::as_str).collect()
            }
            Self::Distinct(one, other) => vec![one, other],
        }
    }
}

/// The order of the results of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// As a walk comes to their paths, then by `line`.
    Walk,
    /// Ascending byte order of the path.
    Bytes,
}

/// A walk that several instances of a tool may share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedWalk {
    /// The argument that names the tree.
    pub argument: String,
    /// Directories that the walk does not enter, by exact name.
    pub skip: Vec<String>,
    /// The member of the result that lists what was found.
    pub results: String,
    /// The order of that list.
    pub order: Order,
}

/// Output limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// Bytes.
    pub max_bytes: u64,
    /// Lines, entries or matches.
    pub max_lines: u64,
}

/// A tool's definition, as the catalog keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// The name under which it is called.
    pub name: String,
    /// What the model reads.
    pub description: String,
    /// JSON Schema of the arguments.
    pub input_schema: Value,
    /// JSON Schema of the result.
    pub output_schema: Value,
    /// What a caller may assume.
    pub class: Class,
    /// What it reaches, argument by argument.
    pub accesses: Vec<Access>,
    /// Other argument names: (alias, name).
    pub aliases: Vec<(String, String)>,
    /// The tool's own output limits.
    pub caps: Option<Caps>,
    /// Whether it answers "what is out there".
    pub survey: bool,
    /// What arguments are held to beyond their schema.
    pub rules: Vec<Rule>,
    /// Milliseconds that a call may run, if less than the host allows.
    pub budget: Option<u32>,
    /// Whether and how a walk is shared among instances.
    pub shared_walk: Option<SharedWalk>,
}

/// A definition that cannot be registered.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the definition of tool {tool:?} is refused: {reason}")]
pub struct DefinitionError {
    /// The tool, control characters escaped.
    pub tool: String,
    /// What is wrong, and what would work.
    pub reason: String,
}

impl Definition {
    /// Whether two definitions differ in words only.
    pub fn same_contract(&self, other: &Self) -> bool {
        self.class == other.class
            && self.accesses == other.accesses
            && self.aliases == other.aliases
            && self.caps == other.caps
            && self.survey == other.survey
            && self.rules == other.rules
            && self.budget == other.budget
            && self.shared_walk == other.shared_walk
    }

    /// Checks everything a hostile plugin could use to mislead: names, sizes,
    /// control characters, schemas that are no objects or point elsewhere.
    ///
    /// # Errors
    /// Names the tool and the field.
    pub fn check(&self) -> Result<(), DefinitionError> {
        let fail = |reason: String| DefinitionError {
            tool: self.name.escape_debug().take(MAX_NAME).collect(),
            reason,
        };
        let mut letters = self.name.chars();
        if !letters.next().is_some_and(|first| first.is_ascii_lowercase())
            || !letters.all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || "_.-".contains(char))
            || self.name.len() > MAX_NAME
        {
            return Err(fail(format!(
                "the name must start with a-z and hold only a-z, 0-9, _, . and -, at most {MAX_NAME} characters"
            )));
        }
        if self.description.is_empty() || self.description.len() > MAX_DESCRIPTION {
            return Err(fail(format!(
                "the description has {} bytes; it must have 1 to {MAX_DESCRIPTION}",
                self.description.len()
            )));
        }
        if let Some(bad) = self.description.chars().find(|char| is_deceptive(*char)) {
            return Err(fail(format!("the description contains the control character {bad:?}")));
        }
        for (field, schema) in [("input", &self.input_schema), ("output", &self.output_schema)] {
            let size = schema.to_string().len();
            if size > MAX_SCHEMA {
                return Err(fail(format!(
                    "the {field} schema has {size} bytes; at most {MAX_SCHEMA} are allowed"
                )));
            }
            if schema.get("type").and_then(Value::as_str) != Some("object") {
                return Err(fail(format!("the {field} schema must have \"type\": \"object\"")));
            }
            if let Some(reference) = foreign_reference(schema, 0) {
                return Err(fail(format!(
                    "the {field} schema refers to {reference:?}; only references within it (#/…) are allowed"
                )));
            }
        }
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        let known = |name: &str| properties.is_some_and(|map| map.contains_key(name));
        let accesses = self.accesses.iter();
        let accesses = accesses.flat_map(|access| [Some(access.argument.as_str()), access.when.as_deref()]);
        let rules = self.rules.iter().flat_map(Rule::arguments);
        let walk = self.shared_walk.iter().map(|walk| walk.argument.as_str());
        if let Some(unknown) = accesses.flatten().chain(rules).chain(walk).find(|name| !known(name)) {
            return Err(fail(format!(
                "it speaks of the argument {unknown:?}, which its input schema does not have"
            )));
        }
        let mut elsewhere = self.accesses.iter().filter(|access| !access.target.is_path());
        if let Some(lenient) = elsewhere.find(|access| access.lenient) {
            return Err(fail(format!(
                "its access by {:?} cannot be lenient: only paths can be left out of a call",
                lenient.argument
            )));
        }
        for (alias, name) in &self.aliases {
            if !known(name) || known(alias) {
                return Err(fail(format!(
                    "the alias {alias:?} for {name:?} must be a new name for a property of the input schema"
                )));
            }
        }
        Ok(())
    }
}

/// Control characters other than line breaks and tabs, and those that reorder text.
fn is_deceptive(char: char) -> bool {
    (char.is_control() && !matches!(char, '\n' | '\t'))
        || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

fn foreign_reference(schema: &Value, depth: usize) -> Option<String> {
    if depth > 64 {
        return Some("a level deeper than 64".to_owned());
    }
    match schema {
        Value::Object(map) => map.iter().find_map(|(key, value)| match value {
            Value::String(target) if matches!(key.as_str(), "$ref" | "$dynamicRef") && !target.starts_with('#') => {
                Some(target.clone())
            }
            _ => foreign_reference(value, depth + 1),
        }),
        Value::Array(list) => list.iter().find_map(|value| foreign_reference(value, depth + 1)),
        _ => None,
    }
}

/// Where a tool comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Part of this binary.
    Builtin,
    /// A component file.
    Plugin(PathBuf),
}

/// A tool as front ends show it.
#[derive(Debug, Clone, Serialize)]
pub struct ToolInfo {
    /// The name under which it is called.
    pub name: String,
    /// What the model reads; speaks only of tools that are registered.
    pub description: String,
    /// JSON Schema of the arguments.
    pub input_schema: Value,
    /// JSON Schema of the result.
    pub output_schema: Value,
    /// What a caller may assume.
    pub class: Class,
    /// Where it comes from.
    pub origin: Origin,
}
