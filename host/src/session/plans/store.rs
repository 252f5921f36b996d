//! The plans of a host: one directory, and what was written there last for whom.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::author::Author;
use super::choose::{Active, Choice, choose};
use super::directory::Directory;
use super::memory::{Entry, Memory, Step, digest};
use super::result::PlanOutcome;
use super::{PlanError, head, name};

/// The plans below one agents directory.
#[derive(Debug)]
pub(super) struct PlanStore {
    /// Absolute, without links.
    agents: String,
    /// Held for the whole of every operation, so that those of this process are in one order.
    memory: Mutex<Memory>,
}

/// A plan that is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) path: String,
    pub(super) number: u64,
    pub(super) outcome: PlanOutcome,
}

/// What became of the plans of an author who withdrew one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Withdrawn {
    /// The new path of the plan.
    pub(super) archived: Option<String>,
    /// The path of the newest plan, if it was left alone, and whose it is.
    pub(super) left: Option<(String, Author)>,
}

impl PlanStore {
    /// The plans below this agents directory. Links in its path are followed now and never again.
    ///
    /// # Errors
    /// It does not exist, is no directory, or has a name that is not UTF-8.
    pub(super) fn open(agents: &Path) -> Result<Self, String> {
        let fail = |reason: &str| format!("the agents directory {}: {reason}", agents.display());
        let path = agents.canonicalize().map_err(|error| fail(&error.to_string()))?;
        if !path.is_dir() {
            return Err(fail("it is no directory"));
        }
        match path.into_os_string().into_string() {
            Ok(agents) => Ok(Self {
                agents,
                memory: Mutex::default(),
            }),
            Err(_) => Err(fail("its name is not UTF-8")),
        }
    }

    /// Records the body of a plan.
    pub(super) fn record(&self, author: &Author, turn: u64, body: &str) -> Result<Written, PlanError> {
        let digest = digest(body);
        let mut memory = self.memory();
        let directory = self.directory(true)?.ok_or_else(|| self.missing())?;
        // A file that somebody moved, or another process's under the same number, is not to be overwritten.
        let stands = |number| matches!(directory.owner(number), Ok(Some(owner)) if owner == *author);
        let step = memory.step(author, turn, &digest, stands);
        let (number, outcome) = match step {
            Step::Keep(number) => {
                memory.touch(author);
                (number, PlanOutcome::Unchanged)
            }
            Step::Replace(number) => {
                directory.replace(number, &head::content(number, author, body))?;
                (number, PlanOutcome::Updated)
            }
            Step::Add => {
                let number = directory.add(|number| head::content(number, author, body))?;
                (number, PlanOutcome::Recorded)
            }
        };
        if outcome != PlanOutcome::Unchanged {
            memory.note(author, Entry { turn, number, digest });
        }
        Ok(Written {
            path: directory.path(&name::active(number)),
            number,
            outcome,
        })
    }

    /// Withdraws the newest plan of an author.
    pub(super) fn withdraw(&self, author: &Author) -> Result<Withdrawn, PlanError> {
        let mut memory = self.memory();
        // Whatever comes next is a new draft.
        memory.forget(author);
        let Some(directory) = self.directory(false)? else {
            return Ok(Withdrawn {
                archived: None,
                left: None,
            });
        };
        let mut active = Vec::new();
        for plan in directory.plans()?.into_iter().filter(|plan| !plan.revoked) {
            if let Some(owner) = directory.owner(plan.number)? {
                let number = plan.number;
                active.push(Active { number, owner });
            }
        }
        let Choice { withdrawn, left } = choose(author, &active);
        let archived = withdrawn.map(|number| directory.revoke(number)).transpose()?;
        Ok(Withdrawn {
            archived: archived.map(|name| directory.path(&name)),
            left: left.map(|plan| (directory.path(&name::active(plan.number)), plan.owner)),
        })
    }

    fn directory(&self, create: bool) -> Result<Option<Directory>, PlanError> {
        Directory::open(&self.agents, create)
    }

    fn missing(&self) -> PlanError {
        PlanError::Failed(format!("the plans directory in {} disappeared; try again", self.agents))
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
