//! Decisions without asking: passes, is refused, or only the operator can say.
//! Called by the gate, for calls and for `explain` alike, so that an explanation never differs from what happens.
//! Must not touch: prompters, clocks, stores. The same question gets the same answer until a grant or the posture changes.

mod choices;
mod commands;
mod keys;
mod paths;
mod urls;

use super::always::Lasting;
use super::decider::{Decider, Refusal};
use super::gate::Gate;
use super::grants::{Exact, Wide};
use super::mode::Mode;
use super::plan;
use super::posture::Posture;
use super::prompt::PromptKind;
use super::{shell, verdict};

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

    /// The refusal of a call that has to wait for a plan. A change waits
    /// whatever the tool that makes it is called.
    fn plan_first(&self, tool: &str, changes: bool) -> Option<Refusal> {
        let waits = self.posture.plan_required && (changes || !plan::exempt(tool)) && !self.gate.plan.recorded();
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

    /// What nothing prohibits: allow rules and grants, then the mode.
    fn permitted(&self, wanted: Wanted<'_>) -> Judgement {
        let Wanted {
            kind,
            tool,
            operation,
            key,
            exact,
            whole,
            lasting,
        } = wanted;
        if let Some(decider) = self
            .allowed(tool, key)
            .or_else(|| self.granted(kind, key, &exact, &whole))
        {
            return Judgement::Pass(decider);
        }
        match self.mode {
            Mode::Yolo => return Judgement::Pass(self.by_mode()),
            Mode::AcceptEdits if kind == PromptKind::FileWrite => return Judgement::Pass(self.by_mode()),
            Mode::Allow | Mode::Plan => {
                return Judgement::Refuse(verdict::not_allowed(tool, key, self.mode, self.by_mode()));
            }
            Mode::Ask | Mode::AcceptEdits => {}
        }
        if let Some(refusal) = self.refused_before(tool, operation, key, &exact) {
            return Judgement::Refuse(refusal);
        }
        // A grant for a verb that would not even cover this command is no answer to it.
        let verb = (kind == PromptKind::Bash).then(|| shell::verb(key)).flatten();
        let verb = verb.filter(|verb| shell::covers(verb, key));
        Judgement::Ask(Box::new(Question {
            kind,
            operation,
            detail: key.to_owned(),
            grantable: Grantable {
                exact: Some(exact),
                verb: verb.map(str::to_owned),
                wide: Some(Wide::Tool(whole)),
                lasting,
                lasting_directory: None,
            },
            decider: self.by_mode(),
            nobody: verdict::no_prompter(tool, key, self.by_mode()),
        }))
    }

    /// A refusal that the operator gave earlier in this turn.
    fn refused_before(&self, tool: &str, operation: &str, detail: &str, exact: &Exact) -> Option<Refusal> {
        let refused = self.gate.grants.refused(exact);
        refused.then(|| verdict::by_user(tool, operation, detail, true))
    }

    /// The grant of this session that covers it.
    fn granted(&self, kind: PromptKind, key: &str, exact: &Exact, whole: &str) -> Option<Decider> {
        let grants = &self.gate.grants;
        if grants.exactly(exact) {
            Some(Decider::fixed("grant.session", "granted for this session"))
        } else if grants.tool(whole) {
            Some(Decider::fixed(
                "grant.tool",
                "the whole tool is granted for this session",
            ))
        } else if kind == PromptKind::Bash && grants.verb(key) {
            Some(Decider::fixed(
                "grant.verb",
                "commands of this verb are granted for this session",
            ))
        } else {
            None
        }
    }
}

/// A request that no prohibition stops, and what could be remembered of it.
struct Wanted<'a> {
    kind: PromptKind,
    /// The tool as rules name it.
    tool: &'a str,
    operation: &'static str,
    /// What rules match, and what is shown.
    key: &'a str,
    exact: Exact,
    /// What a grant of the whole tool goes by.
    whole: String,
    lasting: Option<Lasting>,
}
