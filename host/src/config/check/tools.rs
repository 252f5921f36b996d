//! `tools`, `subagents`, `content_roots`: what their schema cannot say.

use std::collections::BTreeSet;

use super::complaint::Complaint;
use crate::config::duration::parse_duration;
use crate::config::key_path::KeyPath;
use crate::config::schema::Config;

pub(super) fn check(config: &Config, found: &mut Vec<Complaint>) {
    if let Some(text) = &config.tools.spawn_agent.sync_wait_timeout
        && let Err(reason) = parse_duration(text)
    {
        found.push(Complaint::error(
            KeyPath::of("tools.spawn_agent.sync_wait_timeout"),
            reason,
        ));
    }
    for (index, file) in config.tools.plugins.iter().enumerate() {
        if file.as_os_str().is_empty() {
            found.push(Complaint::error(
                KeyPath::of("tools.plugins").index(index),
                "it is empty",
            ));
        }
    }
    let mut names = BTreeSet::new();
    for (index, agent) in config.subagents.iter().enumerate() {
        let place = KeyPath::of("subagents").index(index).key("name");
        if agent.name.is_empty() {
            found.push(Complaint::error(place, "it is missing"));
        } else if !names.insert(&agent.name) {
            found.push(Complaint::error(
                place,
                format!("the name {:?} is given twice", agent.name),
            ));
        }
    }
    let hooks = &config.hooks;
    let events = [
        ("tool-start", &hooks.tool_start),
        ("tool-end", &hooks.tool_end),
        ("model-start", &hooks.model_start),
        ("agent-end", &hooks.agent_end),
    ];
    for (event, commands) in events {
        for (index, hook) in commands.iter().enumerate() {
            if hook.command.trim().is_empty() {
                let place = KeyPath::of("hooks").key(event).index(index).key("command");
                found.push(Complaint::error(place, "it is missing or blank"));
            }
        }
    }
    limits(config, found);
}

/// For configurations built in code, which never met the schema.
fn limits(config: &Config, found: &mut Vec<Complaint>) {
    let limits = &config.limits;
    if !(limits.deadline_seconds > 0.0 && limits.deadline_seconds <= 86_400.0) {
        let text = format!(
            "it is {}; it must be above 0 and at most 86400",
            limits.deadline_seconds
        );
        found.push(Complaint::error(KeyPath::of("limits.deadline_seconds"), text));
    }
    if limits.concurrency == 0 || limits.concurrency > 1024 {
        let text = format!("it is {}; it must be 1 to 1024", limits.concurrency);
        found.push(Complaint::error(KeyPath::of("limits.concurrency"), text));
    }
    let audit = &config.audit;
    if audit.max_file_bytes < 1 << 16 {
        let text = format!("it is {}; it must be at least 65536", audit.max_file_bytes);
        found.push(Complaint::error(KeyPath::of("audit.max_file_bytes"), text));
    }
    if audit.keep_files < 2 {
        let text = format!("it is {}; it must be at least 2", audit.keep_files);
        found.push(Complaint::error(KeyPath::of("audit.keep_files"), text));
    }
    if limits.memory_bytes < 1 << 20 {
        let text = format!("it is {}; a tool needs at least 1048576", limits.memory_bytes);
        found.push(Complaint::error(KeyPath::of("limits.memory_bytes"), text));
    }
}
