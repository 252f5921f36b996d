//! For every key: which change of its value gives rights or resources. Written from what the keys mean, not from the code.

use std::cmp::Ordering;

use serde_json::Value;

/// Which way a value becomes wider.
#[derive(Debug, Clone, Copy)]
enum Wider {
    /// Nothing depends on it.
    Free,
    /// Any change may be.
    Changed,
    /// Losing an entry.
    Fewer,
    /// A higher number.
    Higher,
    /// A higher number; zero or none is the highest.
    HigherOrZero,
    /// Anything earlier in this list, loosest first. Where nobody set it, the
    /// user decides, and only the strictest is surely no looser.
    Looser(&'static [&'static str]),
    /// The same; the loosest holds where nobody set it.
    LooserOrNone(&'static [&'static str]),
    /// This truth.
    Being(bool),
}

use Wider::{Being, Changed, Fewer, Free, Higher, HigherOrZero, Looser, LooserOrNone};

/// Keys and what stands below them; `*` is any name.
const KEYS: &[(&str, Wider)] = &[
    ("version", Free),
    (
        "permissions.mode",
        Looser(&["yolo", "acceptEdits", "ask", "allow", "plan"]),
    ),
    ("permissions.allow", Changed),
    ("permissions.deny", Fewer),
    ("permissions.unscoped", Being(true)),
    ("permissions.allow_filesystem_root", Being(true)),
    ("permissions.use_builtin_allow", Being(true)),
    ("permissions.builtin_allow_extras", Changed),
    ("permissions.plan_mode", LooserOrNone(&["off", "advisory", "required"])),
    ("permissions.require_plan_artifact", Being(false)),
    ("permissions.prompt_timeout_seconds", HigherOrZero),
    ("path_scope.allow", Changed),
    ("path_scope.allow_paths", Changed),
    ("path_scope.deny", Fewer),
    ("path_scope.hardlinks", Looser(&["allow", "deny_write", "deny"])),
    ("path_scope.lift", Changed),
    ("path_scope.cross_device", Being(true)),
    ("url_scope.allow", Changed),
    ("url_scope.deny", Fewer),
    ("url_scope.max_body_bytes", HigherOrZero),
    ("url_scope.timeout_seconds", HigherOrZero),
    ("url_scope.headers", Changed),
    ("url_scope.allow_metadata_endpoints", Being(true)),
    ("url_scope.proxy", Changed),
    ("url_scope.headers_over_http", Changed),
    ("url_scope.ca_file", Changed),
    ("url_scope.nameservers", Changed),
    ("url_scope.nat64_prefix", Changed),
    ("tools.network", Changed),
    ("tool_output.max_bytes", HigherOrZero),
    ("tool_output.max_lines", HigherOrZero),
    // What is said of one tool goes by what held for it before: see `per_tool`.
    ("tool_output.per_tool", Free),
    ("tool_output.digest", Being(false)),
    ("tools.disable", Fewer),
    ("tools.use_builtin", Being(true)),
    ("tools.plugins", Changed),
    ("tools.toolsets", Changed),
    ("tools.wait_and_verify.poll_allow", Changed),
    ("tools.wait_and_verify.max_timeout_seconds", HigherOrZero),
    ("tools.wait_and_verify.max_attempts", HigherOrZero),
    ("tools.call_peer.enabled", Being(true)),
    ("tools.call_peer.name", Changed),
    ("tools.call_peer.description", Changed),
    ("tools.call_peer.token_env", Changed),
    ("tools.call_peer.timeout_seconds", Higher),
    ("tools.call_peer.max_response_bytes", Higher),
    ("tools.spawn_agent.sync_wait_timeout", Changed),
    ("limits.deadline_seconds", Higher),
    ("limits.memory_bytes", Higher),
    ("limits.concurrency", Higher),
    ("limits.write_bytes", Higher),
    ("limits.file_bytes", Higher),
    ("limits.creates", Higher),
    ("limits.walk_entries", Higher),
    ("audit", Changed),
    ("session.store", Looser(&["disk", "memory", "off"])),
    ("session.ttl_days", Higher),
    ("session.task_class", Changed),
    ("safety.bash_search_gate", Looser(&["allow", "warn", "enforce"])),
    ("safety.small_tier_parent", Looser(&["allow", "warn", "refuse"])),
    ("safety.watchdog", Looser(&["off", "warn", "feedback", "enforce"])),
    ("alerts.rate_limit_per_target", Changed),
    ("alerts.targets", Changed),
    ("agent.max_steps", Higher),
    ("agent.max_turn_cost_usd", HigherOrZero),
    ("agent.max_session_cost_usd", HigherOrZero),
    ("hooks", Changed),
    ("subagents", Changed),
    ("content_roots", Changed),
];

/// The keys whose second value is wider than the first.
pub(crate) fn widened(before: &Value, after: &Value) -> Vec<String> {
    let value = |whole: &Value, key: &str| key.split('.').fold(whole.clone(), |value, name| value[name].clone());
    let mut found: Vec<String> = KEYS
        .iter()
        .filter(|(key, wider)| is_wider(*wider, &value(before, key), &value(after, key)))
        .map(|(key, _)| (*key).to_owned())
        .collect();
    found.extend(per_tool(before, after));
    found
}

fn is_wider(wider: Wider, before: &Value, after: &Value) -> bool {
    if before == after {
        return false;
    }
    match wider {
        Free => false,
        Changed => true,
        Fewer => {
            let kept = |entry: &Value| after.as_array().is_some_and(|after| after.contains(entry));
            before.as_array().is_some_and(|before| !before.iter().all(kept))
        }
        Higher => after.as_f64() > before.as_f64(),
        HigherOrZero => limit(after) > limit(before),
        Looser(order) => match (rank(order, before), rank(order, after)) {
            (Some(before), Some(after)) => after < before,
            (None, Some(after)) => after + 1 < order.len(),
            (_, None) => true,
        },
        LooserOrNone(order) => rank(order, after) < rank(order, before),
        Being(wide) => after.as_bool() == Some(wide) || after.is_null() && before.as_bool() == Some(!wide),
    }
}

fn rank(order: &[&str], value: &Value) -> Option<usize> {
    order.iter().position(|name| value.as_str() == Some(name))
}

/// None and zero stand for no limit.
fn limit(value: &Value) -> f64 {
    value.as_f64().filter(|limit| *limit > 0.0).unwrap_or(f64::INFINITY)
}

/// A limit for one tool counts instead of that for all.
fn per_tool(before: &Value, after: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let tools = |whole: &Value| {
        whole["tool_output"]["per_tool"]
            .as_object()
            .cloned()
            .unwrap_or_default()
    };
    for (tool, limits) in tools(after) {
        for field in ["max_bytes", "max_lines"] {
            let own = |value: &Value| value[field].as_f64().filter(|limit| *limit > 0.0);
            let earlier = tools(before).get(&tool).and_then(own);
            let earlier = earlier.unwrap_or_else(|| limit(&before["tool_output"][field]));
            if own(&limits).is_some_and(|now| now.partial_cmp(&earlier) == Some(Ordering::Greater)) {
                found.push(format!("tool_output.per_tool.{tool}.{field}"));
            }
        }
    }
    for tool in tools(before).keys().filter(|tool| !tools(after).contains_key(*tool)) {
        found.push(format!("tool_output.per_tool.{tool}"));
    }
    found
}

/// Keys of the published schema that nothing is said of here.
pub(crate) fn unknown(schema: &Value) -> Vec<String> {
    let mut unknown = Vec::new();
    visit(schema, schema, "", &mut unknown);
    unknown
}

fn visit(schema: &Value, part: &Value, key: &str, unknown: &mut Vec<String>) {
    let part = match part["$ref"].as_str() {
        Some(target) => schema.pointer(target.trim_start_matches('#')).unwrap_or(&Value::Null),
        None => part,
    };
    if KEYS.iter().any(|(known, _)| *known == key) {
        return;
    }
    match part["properties"].as_object() {
        Some(properties) => {
            for (name, part) in properties {
                let key = if key.is_empty() {
                    name.clone()
                } else {
                    format!("{key}.{name}")
                };
                visit(schema, part, &key, unknown);
            }
        }
        None => unknown.push(key.to_owned()),
    }
}
