//! `toolgate inspect`: what a component imports, and what it would be granted.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};
use toolgate::mcp::visible::escape;
use toolgate::sandbox::{Inspection, inspect_file};

use super::options::Options;
use super::{output, tools};

const STRONG: Style = Style::new().bold();
const GRANTED: Style = AnsiColor::Green.on_default();
const REFUSED: Style = AnsiColor::Red.on_default();

const EXAMPLES: &str = "Examples:
  toolgate inspect read_file
  toolgate inspect ./my_tool.wasm
  toolgate inspect ./my_tool.wasm --json | jq '.imports'

A component file is looked at without running any of it.";

/// Show what a tool can reach: its imports, its capabilities, its size and digest
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A registered tool, or a component file ending in .wasm
    #[arg(value_name = "TOOL|FILE.wasm")]
    subject: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, args: &Args) -> Result<ExitCode> {
    let inspection = if args.subject.ends_with(".wasm") {
        inspect_file(Path::new(&args.subject))?
    } else {
        registered(options, &args.subject)?
    };
    if args.json {
        output::json(&to_json(&inspection))?;
    } else {
        output::text(&describe(&inspection))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn registered(options: &Options, name: &str) -> Result<Inspection> {
    let host = options.host()?;
    let Some(inspection) = host.inspect(name) else {
        let names: Vec<String> = host.tools().into_iter().map(|tool| tool.name).collect();
        bail!(
            "no tool is named {:?}; the tools are {}; a component file ends in .wasm",
            escape(name),
            names.join(", ")
        );
    };
    Ok(inspection)
}

fn to_json(inspection: &Inspection) -> Value {
    let imports: Vec<Value> = inspection
        .imports
        .iter()
        .map(|import| json!({"name": import.name, "capability": import.capability, "granted": import.granted}))
        .collect();
    json!({
        "name": inspection.name,
        "origin": tools::origin(&inspection.origin),
        "size_bytes": inspection.size_bytes,
        "digest": inspection.digest,
        "imports": imports,
        "tools": inspection.tools.iter().map(tools::to_json).collect::<Vec<_>>(),
    })
}

fn describe(inspection: &Inspection) -> String {
    let mut text = format!(
        "{STRONG}{}{STRONG:#}  {}\n{} bytes  {}\n\n{STRONG}Imports{STRONG:#}, all that it can call:\n",
        escape(&inspection.name),
        escape(&tools::origin(&inspection.origin)),
        inspection.size_bytes,
        inspection.digest,
    );
    let width = inspection
        .imports
        .iter()
        .map(|import| import.name.chars().count())
        .max()
        .unwrap_or(0);
    if inspection.imports.is_empty() {
        text.push_str("  none: it computes from its arguments alone\n");
    }
    for import in &inspection.imports {
        let (style, mark) = if import.granted {
            (GRANTED, "granted")
        } else {
            (REFUSED, "not granted")
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {:width$}  {style}{mark:11}{style:#}  {}",
            escape(&import.name),
            escape(import.capability.as_deref().unwrap_or("unknown to this host")),
        );
    }
    if !inspection.tools.is_empty() {
        let _ = write!(text, "\n{STRONG}Tools{STRONG:#}:\n{}", tools::table(&inspection.tools));
    }
    text
}
