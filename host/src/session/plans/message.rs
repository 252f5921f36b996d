//! What is said of a plan: what became of the file, and what that changes for other calls.

use super::author::Author;
use super::result::PlanOutcome;
use crate::config::PlanMode;

/// What recording a plan meant for other calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect<'a> {
    /// Plans are recorded, and nothing waits for them.
    Advisory,
    /// Calls wait for a plan, and one was recorded before.
    Satisfied,
    /// This call opened the way for others: for these tools, or for an unknown set of tools.
    Opened(Option<&'a [String]>),
}

/// The message of a recorded plan.
pub(super) fn recorded(outcome: PlanOutcome, path: &str, number: u64, effect: Effect<'_>) -> String {
    let artifact = match outcome {
        PlanOutcome::Recorded => format!("The plan is recorded at {path}."),
        PlanOutcome::Updated => format!(
            "A plan had already been recorded in this turn, so it was updated in place at {path}: there is no second \
             file, the earlier draft is not kept, and there is still exactly one plan, number {number}."
        ),
        PlanOutcome::Unchanged => format!(
            "No plan file was written: this exact plan was already recorded, at {path}. Sending it again can do \
             nothing more; go and carry it out, or ask the operator for /replan."
        ),
    };
    let gate = match effect {
        Effect::Advisory => {
            "Plans are advisory here: nothing was ever blocked, and nothing becomes callable by this. The \
                             file is the operator's audit trail; carry on in this turn. /replan archives it."
                .to_owned()
        }
        Effect::Satisfied => {
            "A plan was on record before this call, so nothing new became callable. /replan archives the \
                              plan, clears the record and asks for a new draft."
                .to_owned()
        }
        Effect::Opened(None) => {
            "The calls that were denied for want of a plan are now unblocked for this session.".to_owned()
        }
        Effect::Opened(Some([])) => {
            "This build registered no tools that wait for a plan, so nothing was blocked.".to_owned()
        }
        Effect::Opened(Some(tools)) => format!("Now unblocked for this session: {}.", tools.join(", ")),
    };
    format!("{artifact} {gate}")
}

/// What became of the plans when a session withdrew its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Withdrawal<'a> {
    /// Where the withdrawn plan is now.
    pub(super) archived: Option<&'a str>,
    /// The newest plan, if it was left alone, and whose it is.
    pub(super) left: Option<(&'a str, &'a Author)>,
}

/// The message of a withdrawn plan.
pub(super) fn replanned(mode: PlanMode, withdrawal: Withdrawal<'_>) -> String {
    let mut text = match withdrawal.archived {
        Some(path) => format!("The plan is archived as {path}."),
        None => "There is no plan of this session to archive.".to_owned(),
    };
    if let Some((path, owner)) = withdrawal.left {
        text += &if owner.is_unknown() {
            format!(" The newest plan, {path}, does not say whose it is and was left alone.")
        } else {
            format!(" The newest plan, {path}, belongs to {owner} and was left alone.")
        };
    }
    text + " " + next(mode)
}

/// The message where there is no directory for plans.
pub(super) fn nowhere(mode: PlanMode) -> String {
    format!(
        "Plans are unavailable: there is no agents directory, so nothing was archived. {}",
        next(mode)
    )
}

fn next(mode: PlanMode) -> &'static str {
    match mode {
        PlanMode::Required => {
            "The session has no plan on record any more: calls that need one are denied until record_plan is called again."
        }
        PlanMode::Advisory => {
            "Plans are advisory here, so no call depends on it; a new plan can be recorded at any time."
        }
        PlanMode::Off => "Plans are switched off here (permissions.plan_mode).",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [PlanOutcome; 3] = [PlanOutcome::Recorded, PlanOutcome::Updated, PlanOutcome::Unchanged];

    fn said(outcome: PlanOutcome, effect: Effect<'_>) -> String {
        recorded(outcome, "/a/plans/plan-3.md", 3, effect)
    }

    #[test]
    fn every_message_names_the_file_and_what_became_of_it() {
        for (outcome, parts, never) in [
            (PlanOutcome::Recorded, &["recorded at"][..], "already"),
            (
                PlanOutcome::Updated,
                &[
                    "updated in place",
                    "already been recorded in this turn",
                    "no second file",
                    "not kept",
                    "one plan, number 3",
                ],
                "No plan file",
            ),
            (
                PlanOutcome::Unchanged,
                &[
                    "No plan file was written",
                    "exact plan was already recorded",
                    "nothing more",
                    "carry it out",
                    "/replan",
                ],
                "contains",
            ),
        ] {
            let text = said(outcome, Effect::Satisfied);
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
            assert!(text.contains("/a/plans/plan-3.md") && !text.contains(never), "{text}");
        }
    }

    /// P1, P17, P19 and the empty set: who may hear of what.
    #[test]
    fn only_what_opened_is_announced() {
        let tools = ["bash", "mcp"].map(str::to_owned);
        for outcome in ALL {
            let text = said(outcome, Effect::Opened(Some(&tools)));
            assert!(text.ends_with("Now unblocked for this session: bash, mcp."), "{text}");
            let text = said(outcome, Effect::Opened(None));
            assert!(
                text.contains("now unblocked for this session.") && !text.contains("session:"),
                "{text}"
            );
            let text = said(outcome, Effect::Opened(Some(&[])));
            assert!(
                text.contains("no tools that wait for a plan") && text.contains("nothing was blocked"),
                "{text}"
            );
            assert!(!text.contains("unblocked"), "{text}");
            let text = said(outcome, Effect::Satisfied);
            assert!(
                text.contains("before this call") && text.contains("nothing new became callable"),
                "{text}"
            );
            assert!(
                text.contains("/replan archives") && text.contains("clears") && !text.contains("unblocked"),
                "{text}"
            );
            let text = said(outcome, Effect::Advisory);
            for part in [
                "nothing was ever blocked",
                "nothing becomes callable",
                "audit trail",
                "carry on in this turn",
                "/replan archives",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(!text.contains("unblocked"), "{text}");
        }
    }

    #[test]
    fn what_stays_is_named_with_its_owner() {
        let b = Author {
            agent: Some("b".to_owned()),
            session: Some("s".to_owned()),
        };
        let text = replanned(
            PlanMode::Required,
            Withdrawal {
                archived: None,
                left: Some(("/a/plans/plan-1.md", &b)),
            },
        );
        for part in [
            "no plan of this session",
            "/a/plans/plan-1.md",
            "agent \"b\"",
            "\"s\"",
            "left alone",
            "denied until",
            "record_plan",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let archived = Withdrawal {
            archived: Some("/a/plans/plan-1-revoked.md"),
            left: None,
        };
        assert!(replanned(PlanMode::Required, archived).contains("archived as /a/plans/plan-1-revoked.md"));
        for text in [replanned(PlanMode::Advisory, archived), nowhere(PlanMode::Advisory)] {
            assert!(!text.contains("denied") && !text.contains("block"), "{text}");
        }
        assert!(nowhere(PlanMode::Required).contains("unavailable"));
    }
}
