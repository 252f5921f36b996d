//! Shell commands.

use super::{Grantable, Judge, Judgement, Question};
use crate::gate::always::Lasting;
use crate::gate::decider::{Decider, Refusal};
use crate::gate::grants::{Exact, Wide};
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
        if let Some(decider) = self.allowed(TOOL, command) {
            return Judgement::Pass(decider);
        }
        let exact = Exact::Key {
            tool: TOOL.to_owned(),
            key: command.to_owned(),
        };
        let wide = Wide::Tool(TOOL.to_owned());
        if let Some(decider) = self.granted(&exact, &wide) {
            return Judgement::Pass(decider);
        }
        if self.gate.grants.verb(command) {
            return Judgement::Pass(Decider::fixed(
                "grant.verb",
                "commands of this verb are granted for this session",
            ));
        }
        match self.mode {
            Mode::Yolo => Judgement::Pass(self.by_mode()),
            Mode::Allow | Mode::Plan => {
                Judgement::Refuse(verdict::not_allowed(TOOL, command, self.mode, self.by_mode()))
            }
            Mode::Ask | Mode::AcceptEdits => match self.refused_before(TOOL, "run", command, &exact) {
                Some(refusal) => Judgement::Refuse(refusal),
                None => {
                    // A grant that would not even cover this command is no answer to it.
                    let verb = shell::verb(command).filter(|verb| shell::covers(verb, command));
                    Judgement::Ask(Box::new(Question {
                        kind: PromptKind::Bash,
                        operation: "run",
                        detail: command.to_owned(),
                        grantable: Grantable {
                            verb: verb.map(str::to_owned),
                            lasting: Some(Lasting::rule(TOOL, command)),
                            ..Grantable::change(exact, wide)
                        },
                        decider: self.by_mode(),
                        nobody: verdict::no_prompter(TOOL, command, self.by_mode()),
                    }))
                }
            },
        }
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
            .or_else(|| self.plan_first(TOOL))
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
