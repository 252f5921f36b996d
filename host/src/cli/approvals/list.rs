//! `toolgate approvals`: what waits.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Style};
use toolgate::approvals::{Operator, Prompt};
use toolgate::gate::PromptKind;
use toolgate::mcp::visible::escape;

use super::super::output;
use super::super::prompt::key;

const STRONG: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Red.on_default().bold();

pub(super) async fn run(operator: &Operator, json: bool) -> Result<ExitCode> {
    let pending = operator.pending().await?;
    if json || !io::stdout().is_terminal() {
        for prompt in &pending {
            let mut line = serde_json::to_vec(prompt)?;
            line.push(b'\n');
            output::plain(&line)?;
        }
    } else if pending.is_empty() {
        output::notice("no question waits");
    } else {
        output::text(&table(&pending))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One line for each question; what is wanted stands last, because it may be long.
fn table(pending: &[Prompt]) -> String {
    let tools = pending.iter().map(|prompt| escape(&prompt.tool).chars().count());
    let tools = tools.max().unwrap_or(0).max("TOOL".len());
    let width = pending
        .iter()
        .map(|prompt| keys(prompt).len())
        .max()
        .unwrap_or(0)
        .max("KEYS".len());
    let mut text = format!(
        "{STRONG}{:24}  {:20}  {:tools$}  {:width$}  WANTS TO{STRONG:#}\n",
        "ID", "SINCE", "TOOL", "KEYS"
    );
    for prompt in pending {
        let mark = match prompt.kind {
            PromptKind::ControlPlaneWrite => format!("  {WARNING}control plane{WARNING:#}"),
            PromptKind::PathScope => format!("  {WARNING}outside the project{WARNING:#}"),
            PromptKind::Bash | PromptKind::FileWrite | PromptKind::Generic => String::new(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:24}  {:20}  {:tools$}  {:width$}  {} {}{mark}",
            escape(&prompt.id),
            escape(&prompt.at),
            escape(&prompt.tool),
            keys(prompt),
            escape(&prompt.operation),
            escape(&prompt.detail),
        );
    }
    text
}

fn keys(prompt: &Prompt) -> String {
    prompt.choices.iter().map(|choice| key(choice.decision)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgate::Decision;
    use toolgate::gate::Choice;

    #[test]
    fn the_table_lines_up_and_shows_nothing_raw() {
        let prompt = |tool: &str, detail: &str| Prompt {
            id: "0123456789abcdef01234567".into(),
            kind: PromptKind::ControlPlaneWrite,
            tool: tool.into(),
            operation: "write".into(),
            detail: detail.into(),
            arguments: serde_json::Value::Null,
            verb: None,
            source: String::new(),
            session: String::new(),
            choices: vec![Choice {
                decision: Decision::Once,
                covers: String::new(),
            }],
            at: "2026-01-02T03:04:05Z".into(),
        };
        let text = table(&[prompt("write_file", "/a\u{1b}[2J"), prompt("x", "/b")]);
        let bare = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = bare.lines().collect();
        assert!(lines[1].ends_with("write /a\\u{1b}[2J  control plane"), "{bare}");
        assert_eq!(lines[1].find("write /a"), lines[2].find("write /b"), "{bare}");
        assert_eq!(lines[0].find("WANTS TO"), lines[1].find("write /a"), "{bare}");
    }
}
