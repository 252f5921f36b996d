//! The words of a refusal: who, what, why, and what would change it.

use crate::call::{CallError, ErrorKind};
use crate::gate::Mode;
use crate::scope::MandatoryClass;

fn denied(message: String) -> CallError {
    CallError::new(ErrorKind::Denied, message)
}

pub(super) fn by_rule(tool: &str, key: &str, rule: &str) -> CallError {
    let what = if key.is_empty() {
        String::new()
    } else {
        format!(" on {key}")
    };
    denied(format!(
        "{tool}: denied{what} by the deny rule {rule:?} of permissions.deny. No mode or grant overrides it; only an \
         operator can remove the rule."
    ))
}

pub(super) fn by_deny_pattern(tool: &str, path: &str, pattern: &str) -> CallError {
    denied(format!(
        "{tool}: denied, {path} is excluded by the pattern {pattern:?} of path_scope.deny. Only an operator can \
         remove the pattern."
    ))
}

pub(super) fn by_mandatory(tool: &str, operation: &str, path: &str, class: MandatoryClass) -> CallError {
    denied(format!(
        "{tool}: denied, {operation} of {path} is refused by mandatory.{class}: {}. No mode, rule or grant overrides \
         it; an operator can lift it with path_scope.lift = [\"{class}\"].",
        class.why()
    ))
}

pub(super) fn by_mode(tool: &str, operation: &str, path: &str, mode: Mode) -> CallError {
    denied(match mode {
        Mode::Plan => format!(
            "{tool}: denied, {operation} of {path} is refused in mode plan, which only reads. An operator can switch \
             to another mode (--mode ask)."
        ),
        _ => format!(
            "{tool}: denied, {operation} of {path} has no allowlist entry and mode {mode} does not prompt. An \
             operator can add the rule \"{tool}:{path}\" to permissions.allow, or choose another mode."
        ),
    })
}

pub(super) fn no_prompter(tool: &str, operation: &str, path: &str) -> CallError {
    denied(format!(
        "{tool}: denied, {operation} of {path} needs an approval and nobody can be asked (no interactive approver). \
         An operator can run it from a terminal, add the rule \"{tool}:{path}\" to permissions.allow, or choose \
         --mode acceptEdits or yolo."
    ))
}

pub(super) fn by_user(tool: &str, operation: &str, path: &str, repeat: bool) -> CallError {
    let repeat = if repeat {
        " (a repeat of a refused call; it was not asked again)"
    } else {
        ""
    };
    denied(format!(
        "{tool}: denied by the user, {operation} of {path}{repeat}. This is final for this turn: do not issue the call again."
    ))
}

pub(super) fn out_of_scope(
    tool: &str,
    operation: &str,
    requested: &str,
    resolved: &str,
    root: &str,
    mode: Mode,
) -> CallError {
    let through = if requested == resolved {
        String::new()
    } else {
        format!(" (which leads to {resolved})")
    };
    let way_out = match mode {
        Mode::Yolo | Mode::AcceptEdits => "set permissions.unscoped, or add the path to path_scope.allow_paths",
        Mode::Ask => {
            "run from a terminal to be asked, or add the path to path_scope.allow_paths (--allow-path PATH:ACCESS)"
        }
        Mode::Allow | Mode::Plan => "add the path to path_scope.allow_paths (--allow-path PATH:ACCESS)",
    };
    denied(format!(
        "{tool}: denied, {operation} of {requested}{through} is out of scope, and mode {mode} does not prompt for it here. \
         The nearest root is {root}. An operator can {way_out}."
    ))
}

pub(super) fn control_plane(tool: &str, path: &str, mode: Mode) -> CallError {
    denied(if mode == Mode::Plan {
        format!("{tool}: denied, {path} is a control-plane file and mode plan only reads.")
    } else {
        format!(
            "{tool}: denied, {path} is a control-plane file: its content grants rights. Changing it takes a fresh \
             interactive approval in every mode, and there is no interactive approver; an operator can edit it directly."
        )
    })
}
