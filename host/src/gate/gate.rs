//! The gate of one session: its grants, its plan, its approvals, and who can be asked.

use std::sync::{Arc, PoisonError, RwLock};

use tokio::runtime::Handle;

use super::always::{Always, GrantStore};
use super::ask::Queue;
use super::grants::Grants;
use super::log::ApprovalLog;
use super::mode::Mode;
use super::plan::PlanState;
use super::posture::Posture;
use super::prompt::Prompter;
use super::rules::{Policy, RuleError};

/// The gate of one session. What it shares with other sessions is the
/// operator's posture, which comes with each call, and the lasting grants that
/// were kept.
pub struct Gate {
    /// The session's name, for questions.
    pub(crate) session: String,
    /// What the operator granted this session.
    pub(crate) grants: Grants,
    /// Whether a plan is recorded.
    pub(crate) plan: Arc<PlanState>,
    /// What the operator approved.
    pub(crate) log: ApprovalLog,
    /// Who can be asked.
    pub(crate) prompter: Option<Arc<dyn Prompter>>,
    /// Lasting grants of the host.
    pub(crate) always: Arc<Always>,
    /// Lasting grants that could not be kept, because there is no store: this session's.
    pub(crate) own_always: Always,
    /// Where lasting grants are kept.
    pub(crate) store: Option<Arc<dyn GrantStore>>,
    /// Drives the clock of questions.
    pub(crate) clock: Handle,
    pub(super) queue: Queue,
    changes: RwLock<Changes>,
}

/// What was changed for this session while it runs.
#[derive(Default)]
struct Changes {
    mode: Option<Mode>,
    rules: Arc<Policy>,
}

impl Gate {
    /// A gate with no grants.
    pub(crate) fn new(session: String, prompter: Option<Arc<dyn Prompter>>, clock: Handle) -> Self {
        Self {
            session,
            grants: Grants::default(),
            plan: Arc::default(),
            log: ApprovalLog::default(),
            prompter,
            always: Arc::default(),
            own_always: Always::default(),
            store: None,
            clock,
            queue: Queue::default(),
            changes: RwLock::default(),
        }
    }

    /// The mode in force: the session's own, or the configured one.
    pub(crate) fn mode_over(&self, posture: &Posture) -> Mode {
        let changes = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        changes.mode.unwrap_or(posture.mode)
    }

    /// Changes the mode of this session.
    pub(crate) fn set_mode(&self, mode: Mode) {
        self.changes.write().unwrap_or_else(PoisonError::into_inner).mode = Some(mode);
    }

    /// The rules that were added for this session.
    pub(crate) fn rules(&self) -> Arc<Policy> {
        Arc::clone(&self.changes.read().unwrap_or_else(PoisonError::into_inner).rules)
    }

    /// Adds a rule for this session.
    pub(crate) fn add_rule(&self, rule: &str, allows: bool, project: &str) -> Result<(), RuleError> {
        let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        let mut rules = Policy::clone(&changes.rules);
        if allows {
            let id = format!("session.allow[{}]", rules.allow_list().count());
            rules.add_allow(rule, id, project)?;
        } else {
            let id = format!("session.deny[{}]", rules.deny_list().count());
            rules.add_deny(rule, id, project)?;
        }
        changes.rules = Arc::new(rules);
        Ok(())
    }
}
