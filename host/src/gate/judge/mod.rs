//! Decisions without asking: passes, is refused, or only the operator can say.
//! Called by the gate, for calls and for `explain` alike, so that an explanation never differs from what happens.
//! Must not touch: prompters, clocks, stores. The same question gets the same answer until a grant or the posture changes.

mod choices;
mod commands;
mod keys;
mod paths;

use super::decider::{Decider, Refusal};
use super::gate::Gate;
use super::grants::{Exact, Wide};
use super::mode::Mode;
use super::plan;
use super::posture::Posture;
use super::prompt::PromptKind;
use super::verdict;

pub(super) use choices::Grantable;
pub(super) use keys::Named;
pub(super) use paths::PathRequest;

/// What can be said of a request without asking.
pub(super) enum Judgement {
    /// It may happen.
    Pass(Decider),
    /// It may not.
    Refuse(Refusal),
    /// The operator decides.
    Ask(Box<Question>),
}

/// What the operator is asked, and what follows if nobody is.
pub(super) struct Question {
    pub(super) kind: PromptKind,
    pub(super) operation: &'static str,
    pub(super) detail: String,
    pub(super) grantable: Grantable,
    /// What made it a question.
    pub(super) decider: Decider,
    /// What the caller hears if nobody can be asked.
    pub(super) nobody: Refusal,
}

/// One session's view of the operator's posture.
pub(super) struct Judge<'a> {
    pub(super) gate: &'a Gate,
    pub(super) posture: &'a Posture,
    pub(super) mode: Mode,
}

impl<'a> Judge<'a> {
    pub(super) fn new(gate: &'a Gate, posture: &'a Posture) -> Self {
        Self {
            gate,
            posture,
            mode: gate.mode_over(posture),
        }
    }

    /// The refusal of a deny rule, whether of the configuration or of the session.
    fn denied(&self, tool: &str, key: &str) -> Option<Refusal> {
        if let Some(rule) = self.posture.policy.denies(tool, key) {
            return Some(verdict::by_rule(tool, key, rule));
        }
        let own = self.gate.rules();
        own.denies(tool, key).map(|rule| verdict::by_rule(tool, key, rule))
    }

    /// The allow rule or lasting grant for a key.
    fn allowed(&self, tool: &str, key: &str) -> Option<Decider> {
        if let Some(rule) = self.posture.policy.allows(tool, key) {
            return Some(rule.decider());
        }
        let own = self.gate.rules();
        own.allows(tool, key)
            .map(super::rules::Rule::decider)
            .or_else(|| self.gate.own_always.allows(tool, key))
            .or_else(|| self.gate.always.allows(tool, key))
    }

    /// The refusal of a call that has to wait for a plan.
    fn plan_first(&self, tool: &str) -> Option<Refusal> {
        let waits = self.posture.plan_required && !plan::exempt(tool) && !self.gate.plan.recorded();
        waits.then(|| verdict::plan_first(tool, self.posture))
    }

    /// The mode as what decided.
    fn by_mode(&self) -> Decider {
        let (id, text) = match self.mode {
            Mode::Ask => ("mode.ask", "mode ask"),
            Mode::Allow => ("mode.allow", "mode allow"),
            Mode::Yolo => ("mode.yolo", "mode yolo"),
            Mode::Plan => ("mode.plan", "mode plan"),
            Mode::AcceptEdits => ("mode.acceptEdits", "mode acceptEdits"),
        };
        if self.mode == self.posture.mode {
            return self.posture.key(id, "permissions.mode", text);
        }
        Decider {
            origin: Some("this session".to_owned()),
            ..Decider::fixed(id, text)
        }
    }

    /// A refusal that the operator gave earlier in this turn.
    fn refused_before(&self, tool: &str, operation: &str, detail: &str, exact: &Exact) -> Option<Refusal> {
        let refused = self.gate.grants.refused(exact);
        refused.then(|| verdict::by_user(tool, operation, detail, true))
    }

    fn granted(&self, exact: &Exact, wide: &Wide) -> Option<Decider> {
        if self.gate.grants.exactly(exact) {
            return Some(Decider::fixed("grant.session", "granted for this session"));
        }
        let whole = match wide {
            Wide::Tool(tool) => self.gate.grants.tool(tool),
            Wide::Verb(_) | Wide::Directory { .. } => false,
        };
        whole.then(|| Decider::fixed("grant.tool", "the whole tool is granted for this session"))
    }
}
