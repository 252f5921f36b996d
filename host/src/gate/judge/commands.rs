//! Shell commands.

use super::{Judge, Judgement, Wanted};
use crate::gate::always::Lasting;
use crate::gate::decider::{Decider, Refusal};
use crate::gate::grants::Exact;
use crate::gate::mode::Mode;
use crate::gate::prompt::PromptKind;
use crate::gate::shell::{self, SearchVerb};
use crate::gate::verdict;

/// The tool that runs commands, as rules and grants name it.
const TOOL: &str = "bash";

impl Judge<'_> {
    /// What is refused in every mode, then rules, grants and the mode.
    pub(in crate::gate) fn command(&self, command: &str) -> Judgement {
        let command = command.trim();
        if let Some(refusal) = self.prohibited_command(command) {
            return Judgement::Refuse(refusal);
        }
        if self.mode == Mode::Plan {
            return Judgement::Refuse(verdict::in_plan_mode(TOOL, "run", command, self.by_mode()));
        }
        self.permitted(Wanted {
            kind: PromptKind::Bash,
            tool: TOOL,
            operation: "run",
            key: command,
            exact: Exact::Key {
                tool: TOOL.to_owned(),
                key: command.to_owned(),
            },
            whole: TOOL.to_owned(),
            lasting: Some(Lasting::rule(TOOL, command)),
        })
    }

    /// A command of the operator's own configuration: held to what is refused
    /// in every mode, and to nothing else.
    pub(in crate::gate) fn hook(&self, command: &str) -> Judgement {
        let command = command.trim();
        let refusal = denylisted(command).or_else(|| self.denied(TOOL, command));
        match refusal {
            Some(refusal) => Judgement::Refuse(refusal),
            None => Judgement::Pass(Decider::fixed("hook", "a command of the operator")),
        }
    }

    fn prohibited_command(&self, command: &str) -> Option<Refusal> {
        denylisted(command)
            .or_else(|| self.denied(TOOL, command))
            .or_else(|| self.searches(command))
            .or_else(|| self.plan_first(TOOL, false))
    }

    /// A search for which there is a tool that knows the scope.
    fn searches(&self, command: &str) -> Option<Refusal> {
        if !self.posture.search_gate {
            return None;
        }
        let searches = shell::searches(command);
        let (search, tool) = searches.iter().find_map(|search| {
            let tool = match search.verb {
                SearchVerb::Grep => "grep",
                SearchVerb::Find => "glob",
            };
            self.posture.tools.contains(tool).then_some((search, tool))
        })?;
        Some(verdict::search(search.binary, tool, self.posture))
    }
}

fn denylisted(command: &str) -> Option<Refusal> {
    shell::denied(command).map(|reason| verdict::by_denylist(command, reason))
}
