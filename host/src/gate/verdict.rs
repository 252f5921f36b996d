//! The words of a refusal: who, what, why, and what would change it.

use super::decider::{Decider, Refusal};
use super::judge::PathRequest;
use super::mode::Mode;
use super::posture::Posture;
use super::rules::{Rule, escape};
use super::shell::Reason;
use crate::scope::MandatoryClass;

/// The change that lets a key of a tool pass.
fn allow(tool: &str, key: &str) -> String {
    format!("add \"{tool}:{}\" to permissions.allow (--allow)", escape(key))
}

fn on(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!(" on {key}")
    }
}

/// Where what decided is written, if it is written anywhere.
fn from(decider: &Decider) -> String {
    let origin = decider.origin.as_ref();
    origin.map_or(String::new(), |origin| format!(" ({origin})"))
}

pub(super) fn by_rule(tool: &str, key: &str, rule: &Rule) -> Refusal {
    let decider = rule.decider();
    let from = from(&decider);
    Refusal::new(
        decider,
        format!(
            "{tool}: denied{} by the deny rule {:?} of permissions.deny{from}. No mode or grant overrides it; only an \
             operator can remove the rule.",
            on(key),
            rule.text()
        ),
        Some(format!("remove the rule {:?} from permissions.deny{from}", rule.text())),
    )
}

pub(super) fn by_deny_pattern(tool: &str, path: &str, pattern: &str, decider: Decider) -> Refusal {
    let from = from(&decider);
    Refusal::new(
        decider,
        format!(
            "{tool}: denied, {path} is excluded by the pattern {pattern:?} of path_scope.deny{from}. Only an operator can \
             remove the pattern."
        ),
        Some(format!("remove the pattern {pattern:?} from path_scope.deny{from}")),
    )
}

pub(super) fn by_mandatory(tool: &str, operation: &str, path: &str, class: MandatoryClass) -> Refusal {
    let lift = format!("path_scope.lift = [\"{class}\"]");
    Refusal::new(
        Decider::found(format!("mandatory.{class}"), class.why()),
        format!(
            "{tool}: denied, {operation} of {path} is refused by mandatory.{class}: {}. No mode, rule or grant overrides \
             it; an operator can lift it with {lift}.",
            class.why()
        ),
        Some(format!("set {lift}")),
    )
}

pub(super) fn by_url_scope(tool: &str, reason: &str, change: Option<String>, decider: Decider) -> Refusal {
    let from = from(&decider);
    let hint = match &change {
        Some(change) => format!(" An operator can {change}."),
        None => String::new(),
    };
    Refusal::new(decider, format!("{tool}: denied, {reason}{from}.{hint}"), change)
}

pub(super) fn in_plan_mode(tool: &str, operation: &str, key: &str, decider: Decider) -> Refusal {
    Refusal::new(
        decider,
        format!(
            "{tool}: denied, {operation} of {key} is refused in mode plan, which only reads. An operator can switch to \
             another mode (--mode ask)."
        ),
        Some("set permissions.mode to another mode (--mode ask)".to_owned()),
    )
}

pub(super) fn not_allowed(tool: &str, key: &str, mode: Mode, decider: Decider) -> Refusal {
    let change = allow(tool, key);
    Refusal::new(
        decider,
        format!(
            "{tool}: denied{}: it has no allowlist entry, and mode {mode} does not prompt. An operator can {change}, or \
             choose another mode.",
            on(key)
        ),
        Some(change),
    )
}

pub(super) fn no_prompter(tool: &str, key: &str, decider: Decider) -> Refusal {
    let change = allow(tool, key);
    Refusal::new(
        decider,
        format!(
            "{tool}: denied{}: it needs an approval and nobody can be asked (no interactive approver). An operator can \
             run it from a terminal, attach an approver (toolgate approvals watch; --approvals waits for one), {change}, or choose mode allow with such rules, \
             acceptEdits or yolo (--mode).",
            on(key)
        ),
        Some(change),
    )
}

pub(super) fn by_user(tool: &str, operation: &str, key: &str, repeat: bool) -> Refusal {
    let repeat = if repeat {
        " (a repeat of a refused call; it was not asked again)"
    } else {
        ""
    };
    Refusal::new(
        Decider::fixed("prompt.denied", "the operator refused"),
        format!(
            "{tool}: denied by the user, {operation} of {key}{repeat}. This is final for this turn: do not issue the \
             call again."
        ),
        None,
    )
}

/// A question that ended without an answer that counts.
pub(super) fn unanswered(tool: &str, operation: &str, key: &str, id: &'static str, why: &str) -> Refusal {
    Refusal::new(
        Decider::fixed(id, "no answer"),
        format!("{tool}: denied, {operation} of {key} needs an approval, and {why}."),
        Some(allow(tool, key)),
    )
}

/// A grant that was given but cannot be kept.
pub(super) fn unkept(tool: &str, pattern: &str, why: &str) -> Refusal {
    Refusal::new(
        Decider::fixed("grant.unkept", "the grant cannot be kept"),
        format!(
            "{tool}: the lasting grant {pattern:?} was approved but cannot be kept: {why}. Nothing was granted; approve it \
             for this session, or mend that and call again."
        ),
        None,
    )
}

pub(super) fn out_of_scope(request: &PathRequest<'_>, root: &str, mode: Mode, decider: Decider) -> Refusal {
    let (tool, operation) = (request.tool, request.operation());
    let (requested, resolved) = (request.requested, request.path());
    let through = if requested == resolved {
        String::new()
    } else {
        format!(" (which leads to {resolved})")
    };
    let access = if request.writes() { "rw" } else { "r" };
    let entry = format!("add {resolved} to path_scope.allow_paths (--allow-path '{resolved}:{access}')");
    let way_out = match mode {
        Mode::Yolo | Mode::AcceptEdits => format!("set permissions.unscoped, or {entry}"),
        Mode::Ask => {
            format!("run it from a terminal or attach an approver (toolgate approvals watch; --approvals), or {entry}")
        }
        Mode::Allow | Mode::Plan => entry.clone(),
    };
    Refusal::new(
        decider,
        format!(
            "{tool}: denied, {operation} of {requested}{through} is out of scope, and mode {mode} does not prompt for it here. \
             The nearest root is {root}. An operator can {way_out}."
        ),
        Some(entry),
    )
}

pub(super) fn control_plane(tool: &str, path: &str, decider: Decider) -> Refusal {
    Refusal::new(
        decider,
        format!(
            "{tool}: denied, {path} is a control-plane file: its content grants rights. Changing it takes a fresh \
             interactive approval in every mode, and there is no interactive approver (toolgate approvals watch attaches \
             one); an operator can edit it directly."
        ),
        None,
    )
}

pub(super) fn plan_first(tool: &str, posture: &Posture) -> Refusal {
    let way = if posture.tools.contains("record_plan") {
        "Call record_plan with the plan as its argument `plan`; after that, issue this call again"
    } else {
        "No tool of this host can record one, so an operator has to change permissions.plan_mode"
    };
    Refusal::new(
        posture.key(
            "permissions.plan_mode",
            "permissions.plan_mode",
            "a plan is required before anything is changed",
        ),
        format!(
            "{tool}: denied, a plan is required before anything is changed (permissions.plan_mode is required). {way}."
        ),
        Some("set permissions.plan_mode = \"advisory\" (--plan-mode advisory)".to_owned()),
    )
}

pub(super) fn by_denylist(command: &str, reason: Reason) -> Refusal {
    Refusal::new(
        Decider::found(format!("denylist.{}", reason.name()), reason.to_string()),
        format!("bash: denied, {reason}: {command}. No mode, rule or grant lets such a command pass."),
        None,
    )
}

pub(super) fn search(binary: &str, tool: &str, posture: &Posture) -> Refusal {
    let finds = if tool == "grep" {
        "structured matches"
    } else {
        "path patterns"
    };
    Refusal::new(
        posture.key(
            "safety.bash_search_gate",
            "safety.bash_search_gate",
            "searches go to the tools for it",
        ),
        format!(
            "bash: denied, {binary} searches files; use the tool {tool} for that: it gives {finds} and keeps to the \
             permission gate, the path scope and the output caps. Filtering another command's output is fine, as in \
             `make 2>&1 | grep error`. An operator can change this (safety.bash_search_gate, --bash-search-gate)."
        ),
        Some("set safety.bash_search_gate = \"warn\" (--bash-search-gate warn)".to_owned()),
    )
}
