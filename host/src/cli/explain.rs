//! `toolgate explain`: what would happen to a call, and which rule says so.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Map, Value, json};
use toolgate::gate::{Explanation, Outcome, Request};
use toolgate::mcp::visible::escape;
use toolgate::session::{documented, outcome};
use toolgate::{Call, CallError, ErrorKind, Host, SessionOptions};

use super::options::Options;
use super::{FAILED, output};

/// The operator would be asked.
const ASK: u8 = 3;

const STRONG: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

const EXAMPLES: &str = r#"Examples:
  toolgate explain read_file '{"path": "/etc/hostname"}'
  toolgate explain --mode allow write_file '{"path": "a.txt", "content": ""}'
  toolgate explain bash '{"command": "git log | head"}'
  toolgate explain mcp/server_tool '{"argument": 1}'

Nothing runs and nobody is asked. Rules about tools that this host does not have can be
tried as well. Exit status: 0 it would pass; 3 the operator would be asked; 1 it would be
refused; 2 wrong usage or configuration."#;

/// Tell whether a call would pass, which rule decides, and what would change it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tool; SET/TOOL for a tool of another set, such as mcp/server_tool
    #[arg(value_name = "TOOL")]
    tool: String,

    /// The arguments, a JSON object
    #[arg(value_name = "JSON", default_value = "{}", allow_hyphen_values = true)]
    arguments: String,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, args: &Args) -> Result<ExitCode> {
    let host = options.host()?;
    let explained = explain(&host, args);
    let explanations = match explained {
        Ok(explanations) => explanations,
        Err(error) => {
            output::json(&error.to_json())?;
            return Ok(ExitCode::from(FAILED));
        }
    };
    let outcome = outcome(&explanations);
    if args.json {
        output::json(&json!({
            "tool": args.tool,
            "outcome": outcome,
            "mode": host.mode().as_str(),
            "registered": host.has_tool(&args.tool),
            "decisions": explanations,
        }))?;
    } else {
        let mut text = String::new();
        if !host.has_tool(&args.tool) {
            text.push_str(&format!(
                "{} is no tool of this host; this is what its rules say.\n",
                escape(&args.tool)
            ));
        }
        explanations
            .iter()
            .for_each(|explanation| text.push_str(&paragraph(&args.tool, explanation)));
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    Ok(match outcome {
        Outcome::Pass => ExitCode::SUCCESS,
        Outcome::Ask => ExitCode::from(ASK),
        Outcome::Refuse => ExitCode::from(FAILED),
    })
}

fn explain(host: &Host, args: &Args) -> Result<Vec<Explanation>, CallError> {
    let call = Call::from_json(&args.tool, &args.arguments)?;
    let session = host.session(SessionOptions::default());
    if host.has_tool(&args.tool) {
        return session.explain(&args.tool, call.arguments);
    }
    let none = Map::new();
    let arguments = match &call.arguments {
        Value::Object(arguments) => arguments,
        Value::Null => &none,
        _ => {
            return Err(CallError::new(
                ErrorKind::InvalidArguments,
                format!("{}: the arguments must be a JSON object", args.tool),
            ));
        }
    };
    if let Some((namespace, tool)) = args.tool.split_once('/') {
        let request = Request::Named {
            namespace,
            tool,
            arguments,
            read_only: false,
        };
        return Ok(vec![session.explain_request(&request)]);
    }
    match documented(&args.tool, arguments) {
        Some(request) => Ok(vec![session.explain_request(&request?)]),
        // The catalog's own error names the nearest tool.
        None => session.explain(&args.tool, call.arguments),
    }
}

fn paragraph(tool: &str, explanation: &Explanation) -> String {
    let (style, verdict) = match explanation.outcome {
        Outcome::Pass => (GREEN, "passes"),
        Outcome::Ask => (YELLOW, "the operator is asked"),
        Outcome::Refuse => (RED, "is refused"),
    };
    let mut text = format!(
        "{STRONG}{} {} {}{STRONG:#}: {style}{verdict}{style:#}\n",
        escape(tool),
        explanation.operation,
        escape(&explanation.subject)
    );
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<8} {}\n", escape(value)));
    if let Some(given) = &explanation.given {
        line("given as", given);
    }
    line("rule", &format!("{}  {}", explanation.rule.id, explanation.rule.text));
    if let Some(origin) = &explanation.rule.origin {
        line("from", origin);
    }
    if let Some(message) = &explanation.message {
        line("because", message);
    }
    if let Some(change) = &explanation.change {
        line("change", change);
    }
    for choice in &explanation.choices {
        line("answer", &format!("{}: {}", choice.decision, choice.covers));
    }
    text
}
