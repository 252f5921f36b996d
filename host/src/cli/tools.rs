//! `toolgate tools`: what can be called.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::styling::Style;
use serde_json::{Value, json};
use toolgate::mcp::visible::escape;
use toolgate::{Class, Origin, ToolInfo};

use super::options::Options;
use super::output;

const STRONG: Style = Style::new().bold();

const EXAMPLES: &str = "Examples:
  toolgate tools
  toolgate tools --plugin my_tool.wasm
  toolgate tools --json | jq '.[] | {name, inputSchema}'";

/// List the tools
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print everything as JSON: descriptions, schemas, class, origin
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, args: &Args) -> Result<ExitCode> {
    let tools = options.host()?.tools();
    if args.json {
        output::json(&Value::Array(tools.iter().map(to_json).collect()))?;
    } else {
        output::text(&table(&tools))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The shape that MCP clients see, and the origin.
pub(super) fn to_json(tool: &ToolInfo) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "readOnlyHint": tool.class.read_only,
            "destructiveHint": tool.class.destructive,
            "idempotentHint": tool.class.idempotent,
            "openWorldHint": tool.class.open_world,
        },
        "origin": origin(&tool.origin),
    })
}

/// `built-in`, or the plugin's file.
pub(super) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "built-in".to_owned(),
        Origin::Plugin(file) => file.display().to_string(),
    }
}

/// What a tool may do, in a word or two.
pub(super) fn class(class: Class) -> String {
    let mut words = vec![match class {
        Class { read_only: true, .. } => "reads",
        Class { destructive: true, .. } => "changes",
        Class { .. } => "adds",
    }];
    if class.open_world {
        words.push("open world");
    }
    words.join(", ")
}

pub(super) fn table(tools: &[ToolInfo]) -> String {
    let width = |text: fn(&ToolInfo) -> String| tools.iter().map(|tool| text(tool).chars().count()).max().unwrap_or(0);
    let names = width(|tool| escape(&tool.name));
    let classes = width(|tool| class(tool.class));
    let mut text = String::new();
    for tool in tools {
        let plugin = match &tool.origin {
            Origin::Builtin => String::new(),
            Origin::Plugin(_) => format!("  [{}]", escape(&origin(&tool.origin))),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{STRONG}{:names$}{STRONG:#}  {:classes$}  {}{plugin}",
            escape(&tool.name),
            class(tool.class),
            escape(first_sentence(&tool.description)),
        );
    }
    text
}

fn first_sentence(description: &str) -> &str {
    let line = description.trim().lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sentence_is_enough() {
        assert_eq!(first_sentence("Reads a file. Large ones in parts."), "Reads a file.");
        assert_eq!(first_sentence("Reads a file\nand more"), "Reads a file");
        assert_eq!(first_sentence(""), "");
    }
}
