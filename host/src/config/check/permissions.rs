//! `permissions` and `path_scope`: rules and patterns parse; keys that exclude each other.

use super::complaint::Complaint;
use crate::config::key_path::KeyPath;
use crate::config::schema::{Config, PlanMode};
use crate::gate::Policy;

pub(super) fn check(config: &Config, found: &mut Vec<Complaint>) {
    if config.version > 1 {
        let text = format!("version {} is not known; this build reads version 1", config.version);
        found.push(Complaint::error(KeyPath::of("version"), text));
    }
    rules(config, found);
    let permissions = &config.permissions;
    if permissions.plan_mode == Some(PlanMode::Off) && permissions.require_plan_artifact {
        found.push(Complaint::error(
            KeyPath::of("permissions.require_plan_artifact"),
            "it is true, and permissions.plan_mode is off; keep one of them, best plan_mode",
        ));
    }
    scope(config, found);
}

fn rules(config: &Config, found: &mut Vec<Complaint>) {
    let permissions = &config.permissions;
    let mut each = |key: &str, rules: &[String], parse: fn(&[String]) -> Result<Policy, crate::gate::RuleError>| {
        for (index, rule) in rules.iter().enumerate() {
            if let Err(error) = parse(std::slice::from_ref(rule)) {
                found.push(Complaint::error(KeyPath::of(key).index(index), error.to_string()));
            }
        }
    };
    // Which project it is does not matter to the grammar.
    each("permissions.allow", &permissions.allow, |rules| {
        Policy::parse(rules, &[], "/")
    });
    each("permissions.deny", &permissions.deny, |rules| {
        Policy::parse(&[], rules, "/")
    });
}

fn scope(config: &Config, found: &mut Vec<Complaint>) {
    let scope = &config.path_scope;
    let mut pattern = |path: KeyPath, text: &str, check: fn(&str) -> Result<(), String>| {
        if let Err(reason) = check(text) {
            found.push(Complaint::error(
                path,
                format!("the pattern {text:?} cannot be used: {reason}"),
            ));
        }
    };
    for (index, text) in scope.allow.iter().enumerate() {
        pattern(
            KeyPath::of("path_scope.allow").index(index),
            text,
            crate::scope::check_entry,
        );
    }
    for (index, text) in scope.deny.iter().enumerate() {
        pattern(
            KeyPath::of("path_scope.deny").index(index),
            text,
            crate::scope::check_deny,
        );
    }
    for (index, entry) in scope.allow_paths.iter().enumerate() {
        let path = KeyPath::of("path_scope.allow_paths").index(index);
        if entry.path.is_empty() {
            found.push(Complaint::error(path.key("path"), "it is empty"));
        } else if let Err(reason) = crate::scope::check_entry(&entry.path) {
            let text = format!("the pattern {:?} cannot be used: {reason}", entry.path);
            found.push(Complaint::error(path.key("path"), text));
        }
        if let Err(reason) = entry.parsed_access() {
            found.push(Complaint::error(path.key("access"), reason));
        }
    }
}
