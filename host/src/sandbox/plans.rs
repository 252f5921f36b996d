//! The capability `toolgate:plugin/plans`: recording the plan of the session that calls.
//! Called by the component of `record_plan` through the linker; no other component is linked to it.
//! Must not touch: the plans and flags of other sessions; whose they are is the host's word, not the guest's.

use super::bindings::toolgate::plugin::plans::{Host, Outcome, PlanError, Recorded};
use super::state::CallState;
use crate::session::plans;

impl Host for CallState {
    fn record(&mut self, plan: String) -> wasmtime::Result<Result<Recorded, PlanError>> {
        let Some(plans) = &self.around.plans else {
            return Ok(Err(PlanError::Unavailable(
                "plans are recorded by the built-in tool record_plan only".to_owned(),
            )));
        };
        Ok(plans.record(&plan).map(recorded).map_err(failure))
    }
}

fn recorded(plan: plans::RecordedPlan) -> Recorded {
    Recorded {
        path: plan.path,
        sequence: plan.sequence,
        outcome: match plan.outcome {
            plans::PlanOutcome::Recorded => Outcome::Recorded,
            plans::PlanOutcome::Updated => Outcome::Updated,
            plans::PlanOutcome::Unchanged => Outcome::Unchanged,
        },
        message: plan.message,
        agent: plan.agent,
        session: plan.session,
    }
}

fn failure(error: plans::PlanError) -> PlanError {
    let text = error.to_string();
    match error {
        plans::PlanError::Empty => PlanError::Empty(text),
        plans::PlanError::TooLong(_) => PlanError::TooLong(text),
        plans::PlanError::Unavailable(_) => PlanError::Unavailable(text),
        plans::PlanError::Failed(_) => PlanError::Failed(text),
    }
}
