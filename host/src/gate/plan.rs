//! Plan-first: whether a plan is recorded in a session, and which calls wait for one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Tools that pass before a plan is recorded: planning takes looking around, and `record_plan` is
/// the way out. `fetch_url` is not among them, since an outgoing URL can carry data away.
const EXEMPT: &[&str] = &[
    "glob",
    "grep",
    "json_query",
    "list_dir",
    "read_file",
    "read_many_files",
    "record_plan",
    "stat",
    "todo",
    "view_file_outline",
];

/// Tools that no plan is asked for, because they act on the session itself: stopping an agent or
/// waiting must not depend on a plan.
const UNGATED: &[&str] = &[
    "ask_user",
    "mark_task_done",
    "report_done",
    "retrieve_raw",
    "schedule_next_turn",
    "sciontool_status",
    "set_status",
    "stop_agent",
    "wait_and_verify",
];

/// Whether calls of this tool wait for a plan where one is required. A tool that is not built in
/// passes if it declares that it only reads; for the built-in ones the name alone decides.
pub fn plan_gated(tool: &str, builtin: bool, read_only: bool) -> bool {
    !EXEMPT.contains(&tool) && !UNGATED.contains(&tool) && (builtin || !read_only)
}

/// Whether a tool passes before there is a plan by its name alone.
pub(super) fn exempt(tool: &str) -> bool {
    !plan_gated(tool, true, false)
}

/// Where the flag of a session outlives the process.
pub trait KeptFlag: Send + Sync {
    /// What is kept; false where nothing is.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn get(&self) -> Result<bool, String>;

    /// Sets the flag in one step and returns what it was before.
    ///
    /// # Errors
    /// Why it cannot be kept; it is as before then.
    fn replace(&self, recorded: bool) -> Result<bool, String>;
}

/// Whether a plan is recorded in one session. All callers of the session share it, and no other
/// session does.
#[derive(Default)]
pub struct PlanState {
    recorded: AtomicBool,
    /// Whether what is kept is not what was set last, because it could not be written.
    apart: AtomicBool,
    kept: Option<Box<dyn KeptFlag>>,
    /// Held while the flag changes, here and where it is kept.
    changing: Mutex<()>,
}

/// What setting the flag did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    /// What the flag was before: of several callers that set it at once, one sees the change.
    pub was: bool,
    /// Why the change ends with this process, if it does although the flag should outlive it.
    pub unkept: Option<String>,
}

impl PlanState {
    /// The flag of a session that ends with the process.
    pub fn new() -> Self {
        Self::default()
    }

    /// The flag of a session that goes on in later processes.
    pub fn kept_in(flag: Box<dyn KeptFlag>) -> Self {
        Self {
            kept: Some(flag),
            ..Self::default()
        }
    }

    /// Whether a plan is recorded. What is kept is read each time, so that a plan that another
    /// process records or withdraws counts here at once; that is one look into the session store.
    /// Where it cannot be read, what this process knows counts.
    pub fn recorded(&self) -> bool {
        let here = || self.recorded.load(Ordering::SeqCst);
        match &self.kept {
            Some(kept) if !self.apart.load(Ordering::SeqCst) => kept.get().unwrap_or_else(|error| {
                tracing::warn!(error, "whether a plan is recorded cannot be read");
                here()
            }),
            _ => here(),
        }
    }

    /// Notes that a plan is recorded.
    pub fn record(&self) -> PlanChange {
        self.set(true)
    }

    /// Notes that no plan is recorded any more.
    pub fn revoke(&self) -> PlanChange {
        self.set(false)
    }

    fn set(&self, recorded: bool) -> PlanChange {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let was_here = self.recorded.swap(recorded, Ordering::SeqCst);
        let Some(kept) = &self.kept else {
            return PlanChange {
                was: was_here,
                unkept: None,
            };
        };
        let replaced = kept.replace(recorded);
        let apart = self.apart.swap(replaced.is_err(), Ordering::SeqCst);
        match replaced {
            Ok(was) => PlanChange {
                was: if apart { was_here } else { was },
                unkept: None,
            },
            Err(error) => {
                tracing::warn!(error, "whether a plan is recorded cannot be kept");
                PlanChange {
                    was: was_here,
                    unkept: Some(error),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[derive(Default)]
    struct Shared {
        flag: Mutex<bool>,
        broken: AtomicBool,
    }

    struct Flag(Arc<Shared>);

    impl KeptFlag for Flag {
        fn get(&self) -> Result<bool, String> {
            Ok(*self.0.flag.lock().unwrap())
        }

        fn replace(&self, recorded: bool) -> Result<bool, String> {
            if self.0.broken.load(Ordering::SeqCst) {
                return Err("full".to_owned());
            }
            Ok(std::mem::replace(&mut *self.0.flag.lock().unwrap(), recorded))
        }
    }

    #[test]
    fn names_decide_for_built_in_tools_and_classes_for_others() {
        for tool in EXEMPT.iter().chain(UNGATED) {
            assert!(!plan_gated(tool, true, false), "{tool}");
        }
        for tool in [
            "write_file",
            "edit_file",
            "delete_file",
            "bash",
            "fetch_url",
            "alert",
            "call_peer",
            "spawn_agent",
        ] {
            assert!(plan_gated(tool, true, true), "{tool}");
        }
        assert!(!plan_gated("count_lines", false, true));
        assert!(plan_gated("count_lines", false, false));
    }

    #[test]
    fn one_of_many_sees_the_change() {
        for kept in [false, true] {
            let state = if kept {
                PlanState::kept_in(Box::new(Flag(Arc::default())))
            } else {
                PlanState::new()
            };
            assert!(!state.recorded());
            let changes = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| state.record())).collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .collect::<Vec<_>>()
            });
            assert_eq!(changes.iter().filter(|change| !change.was).count(), 1);
            assert!(state.recorded());
            assert!(state.revoke().was);
            assert!(!state.recorded() && !state.revoke().was);
        }
    }

    #[test]
    fn two_processes_see_one_flag() {
        let shared = Arc::new(Shared::default());
        let [one, other] = [(); 2].map(|()| PlanState::kept_in(Box::new(Flag(Arc::clone(&shared)))));
        assert!(!one.record().was);
        assert!(other.recorded() && other.record().was);
        other.revoke();
        assert!(!one.recorded());
    }

    /// A withdrawn plan stays withdrawn, and a recorded one recorded, even if the store is full.
    #[test]
    fn what_cannot_be_kept_counts_here() {
        let shared = Arc::new(Shared::default());
        let state = PlanState::kept_in(Box::new(Flag(Arc::clone(&shared))));
        state.record();
        shared.broken.store(true, Ordering::SeqCst);
        assert_eq!(state.revoke().unkept.as_deref(), Some("full"));
        assert!(!state.recorded());
        let again = state.record();
        assert!(!again.was && again.unkept.is_some() && state.recorded());
        state.revoke();
        shared.broken.store(false, Ordering::SeqCst);
        let kept = state.record();
        assert_eq!((kept.was, kept.unkept), (false, None));
        assert!(state.recorded() && *shared.flag.lock().unwrap());
    }
}
