//! Plans as one session sees them: the files and its flag together.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::author::Author;
use super::message::{self, Effect, Withdrawal};
use super::result::{PlanOutcome, RecordedPlan, Replanned};
use super::store::PlanStore;
use super::{PlanError, head};
use crate::config::PlanMode;
use crate::gate::PlanState;

/// What all sessions of a host have in common.
pub(crate) struct Plans {
    mode: PlanMode,
    /// Where plans are written, if anywhere.
    store: Option<PlanStore>,
    /// The tools that wait for a plan, sorted; absent where nobody has said which there are.
    gated: Option<Vec<String>>,
    /// The last turn of any session, so that no two have the same.
    turns: AtomicU64,
}

impl Plans {
    /// Plans in this mode, written there.
    pub(super) fn new(mode: PlanMode, store: Option<PlanStore>, gated: Option<Vec<String>>) -> Self {
        let gated = gated.map(|mut tools| {
            tools.sort();
            tools
        });
        Self {
            mode,
            store,
            gated,
            turns: AtomicU64::new(0),
        }
    }

    pub(crate) fn mode(&self) -> PlanMode {
        self.mode
    }

    fn turn(&self) -> u64 {
        self.turns.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The plans of one session.
pub(crate) struct SessionPlans {
    plans: Arc<Plans>,
    author: Author,
    turn: AtomicU64,
    state: Arc<PlanState>,
    /// Held while files and flag change, so that a plan withdrawn at the same time does not count.
    changing: Mutex<()>,
}

impl SessionPlans {
    /// The plans of an author whose flag this is.
    pub(crate) fn new(plans: Arc<Plans>, author: Author, state: PlanState) -> Self {
        let turn = AtomicU64::new(plans.turn());
        Self {
            plans,
            author,
            turn,
            state: Arc::new(state),
            changing: Mutex::default(),
        }
    }

    /// The flag.
    pub(crate) fn state(&self) -> &Arc<PlanState> {
        &self.state
    }

    /// Whatever is recorded from now on is no draft of what was before.
    pub(crate) fn new_turn(&self) {
        self.turn.store(self.plans.turn(), Ordering::Relaxed);
    }

    /// Records a plan and sets the flag.
    ///
    /// # Errors
    /// See [`PlanError`]; the flag is as before then.
    pub(crate) fn record(&self, plan: &str) -> Result<RecordedPlan, PlanError> {
        // Before whatever else is wrong: a plan that is none is the caller's mistake.
        let body = head::body(plan)?;
        let store = self.store()?;
        let _one = self.one();
        let written = store.record(&self.author, self.turn.load(Ordering::Relaxed), &body)?;
        let change = self.state.record();
        let effect = match self.plans.mode {
            PlanMode::Required if change.was => Effect::Satisfied,
            PlanMode::Required => Effect::Opened(self.plans.gated.as_deref()),
            PlanMode::Advisory | PlanMode::Off => Effect::Advisory,
        };
        let mut message = message::recorded(written.outcome, &written.path, written.number, effect);
        if let Some(reason) = change.unkept {
            message += &format!(" Later processes will not know that a plan is on record: {reason}.");
        }
        Ok(RecordedPlan {
            path: written.path,
            sequence: written.number,
            outcome: written.outcome,
            message,
            agent: self.author.agent.clone(),
            session: self.author.session.clone(),
            no_op: written.outcome == PlanOutcome::Unchanged,
        })
    }

    /// Withdraws the session's newest plan and clears the flag, which happens in any case.
    ///
    /// # Errors
    /// The plan cannot be found or renamed.
    pub(crate) fn replan(&self) -> Result<Replanned, PlanError> {
        let _one = self.one();
        let withdrawn = self.plans.store.as_ref().map(|store| store.withdraw(&self.author));
        let change = self.state.revoke();
        let withdrawn = withdrawn.transpose().map_err(|error| match error {
            PlanError::Failed(reason) => PlanError::Failed(format!(
                "{reason}; the plan stays where it is, but the session has none on record any more"
            )),
            other => other,
        })?;
        let mut message = match &withdrawn {
            None => message::nowhere(self.plans.mode),
            Some(withdrawn) => message::replanned(
                self.plans.mode,
                Withdrawal {
                    archived: withdrawn.archived.as_deref(),
                    left: withdrawn.left.as_ref().map(|(path, owner)| (path.as_str(), owner)),
                },
            ),
        };
        if let Some(reason) = change.unkept {
            message += &format!(" Later processes may still find a plan on record: {reason}.");
        }
        Ok(Replanned {
            archived_path: withdrawn.and_then(|withdrawn| withdrawn.archived),
            plan_was_active: change.was,
            message,
        })
    }

    fn one(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> Result<&PlanStore, PlanError> {
        let reason = match (self.plans.mode, &self.plans.store) {
            (PlanMode::Off, _) => {
                "plans are switched off here; an operator can set permissions.plan_mode to advisory or required"
            }
            (_, None) => {
                "there is no agents directory to write plans to; an operator can create .agents in the project"
            }
            (_, Some(store)) => return Ok(store),
        };
        Err(PlanError::Unavailable(reason.to_owned()))
    }
}
