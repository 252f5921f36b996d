//! Reports and records as text, for people. Everything from the log is escaped.

use std::io::{self, Write};

use serde_json::Value;

use super::arguments::shown;
use super::verify::Report;
use crate::mcp::visible::escape;

/// Writes what [`super::verify`] found: for people, or as one JSON object on one line.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_report(out: &mut dyn Write, report: &Report, json: bool) -> io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, report)?;
        return writeln!(out);
    }
    for file in &report.files {
        writeln!(
            out,
            "{}: {} lines, {} bytes",
            escape(&file.name),
            file.lines,
            file.bytes
        )?;
    }
    for loss in &report.losses {
        let what = loss.kind.describe(loss.count);
        let detail = if loss.detail.is_empty() {
            String::new()
        } else {
            format!(" ({})", escape(&loss.detail))
        };
        writeln!(out, "{}:{}: {what}{detail}", escape(&loss.file), loss.line)?;
    }
    let more = report.loss_count - report.losses.len() as u64;
    if more > 0 {
        writeln!(out, "… and {more} more such places")?;
    }
    let key = if report.keyed { "with a key" } else { "without a key" };
    match &report.fault {
        Some(fault) => writeln!(
            out,
            "FAULT: {}:{}: {}: {}. {}. The {} lines before it are as they were written ({key}); nothing behind it was checked.",
            escape(&fault.file),
            fault.line,
            fault.kind.as_str(),
            escape(&fault.detail),
            fault.kind.meaning(),
            report.lines
        ),
        None => writeln!(
            out,
            "{}: {} lines, {} calls, one chain ({key}).",
            if report.is_complete() {
                "Complete"
            } else {
                "Intact, with losses"
            },
            report.lines,
            report.records
        ),
    }
}

/// Writes one line of the log: time, number, session, tool, decision, outcome, arguments.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn write_record(out: &mut dyn Write, record: &Value) -> io::Result<()> {
    let text = |name: &str| match &record[name] {
        Value::Null => "-".to_owned(),
        Value::String(text) => escape(text),
        other => shown(other),
    };
    if !record["event"].is_null() {
        let reason = record["reason"].as_str().map(|reason| format!(" ({})", escape(reason)));
        let what = match record["event"].as_str() {
            Some("file") => format!("file {} begins", text("file")),
            Some("lost") => format!("{} records lost", text("count")),
            Some("resumed") => format!(
                "resumed, {} lines missing, {} bytes torn",
                text("missing"),
                text("torn_bytes")
            ),
            _ => text("event"),
        };
        return writeln!(
            out,
            "{} #{} -- {what}{}",
            text("time"),
            text("seq"),
            reason.unwrap_or_default()
        );
    }
    write!(
        out,
        "{} #{} {} {} {} {}µs",
        text("time"),
        text("seq"),
        text("session"),
        text("tool"),
        text("outcome"),
        text("wall_us")
    )?;
    for (label, name) in [
        ("by", "decided_by"),
        ("approved by", "approver"),
        ("arguments", "arguments"),
        ("message", "message"),
    ] {
        if !record[name].is_null() {
            write!(out, "  {label}: {}", text(name))?;
        }
    }
    writeln!(out)
}
