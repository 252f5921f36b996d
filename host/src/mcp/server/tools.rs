//! The tool list as the protocol shows it.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::{Host, ToolInfo};

/// Longest part of an unknown tool name that an error repeats, in characters.
const MAX_NAME_SHOWN: usize = 128;

/// The registered tools, rendered once per server.
pub(super) struct ToolTable {
    tools: Vec<Tool>,
}

impl ToolTable {
    pub(super) fn new(host: &Host) -> Self {
        Self {
            tools: host.tools().into_iter().map(describe).collect(),
        }
    }

    pub(super) fn all(&self) -> Vec<Tool> {
        self.tools.clone()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

/// The protocol error for a name that is not registered.
pub(super) fn unknown(host: &Host, name: &str) -> ErrorData {
    let known = host.tool_names();
    let known = || known.iter().map(String::as_str);
    let shown: String = name.chars().take(MAX_NAME_SHOWN).collect();
    let hint = crate::suggest::hint(name, known());
    let hint = if hint.is_empty() {
        format!("; the tools are {}", known().collect::<Vec<_>>().join(", "))
    } else {
        hint
    };
    ErrorData::invalid_params(format!("unknown tool {shown:?}{hint}"), None)
}

fn describe(tool: ToolInfo) -> Tool {
    let annotations = ToolAnnotations::new()
        .read_only(tool.class.read_only)
        .destructive(tool.class.destructive)
        .idempotent(tool.class.idempotent)
        .open_world(tool.class.open_world);
    let title = title(&tool.name);
    Tool::new(tool.name, tool.description, schema(tool.input_schema))
        .with_title(title)
        .with_raw_output_schema(schema(tool.output_schema))
        .with_annotations(annotations)
}

/// The catalog admits only object schemas; anything else becomes the schema
/// that accepts any object, which is what the protocol requires at least.
fn schema(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::from_iter([("type".to_owned(), Value::from("object"))]),
    })
}

/// `read_file` becomes `Read file`.
fn title(name: &str) -> String {
    let words = name.replace(['_', '-', '.'], " ");
    let mut characters = words.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_read_like_words() {
        assert_eq!(title("read_file"), "Read file");
        assert_eq!(title("grep"), "Grep");
        assert_eq!(title(""), "");
    }

    #[test]
    fn a_schema_is_always_an_object() {
        assert_eq!(schema(Value::Null)["type"], "object");
        assert_eq!(schema(serde_json::json!({"type": "object", "x": 1}))["x"], 1);
    }
}
