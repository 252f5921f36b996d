//! What an answer may cover, and the words that say so.

use crate::gate::always::Lasting;
use crate::gate::grants::{Exact, Reach, Wide};
use crate::gate::prompt::{Choice, Decision};

/// What could be remembered of an answer.
pub(in crate::gate) struct Grantable {
    pub(in crate::gate) exact: Option<Exact>,
    pub(in crate::gate) verb: Option<String>,
    pub(in crate::gate) wide: Option<Wide>,
    pub(in crate::gate) lasting: Option<Lasting>,
    pub(in crate::gate) lasting_directory: Option<Lasting>,
}

impl Grantable {
    /// Nothing: the next time asks again.
    pub(super) fn nothing() -> Self {
        Self {
            exact: None,
            verb: None,
            wide: None,
            lasting: None,
            lasting_directory: None,
        }
    }

    /// The answers on offer, narrowest first.
    pub(in crate::gate) fn choices(&self) -> Vec<Choice> {
        let mut choices = vec![
            choice(Decision::Deny, "nothing".to_owned()),
            choice(Decision::Once, "this call only".to_owned()),
        ];
        if let Some(exact) = &self.exact {
            choices.push(choice(Decision::Session, format!("{}, for this session", words(exact))));
        }
        if let Some(verb) = &self.verb {
            choices.push(choice(
                Decision::SessionVerb,
                format!("every plain `{verb}` command that only reads, for this session"),
            ));
        }
        match &self.wide {
            Some(Wide::Tool(tool)) if tool == "bash" => choices.push(choice(
                Decision::SessionTool,
                "every shell command, for this session".to_owned(),
            )),
            Some(Wide::Tool(tool)) => choices.push(choice(
                Decision::SessionTool,
                format!("everything that {tool} does in scope, for this session"),
            )),
            Some(Wide::Directory {
                tool,
                operation,
                directory,
            }) => choices.push(choice(
                Decision::SessionTool,
                format!("{operation} by {tool} of everything in {directory}, for this session"),
            )),
            Some(Wide::Verb(_)) | None => {}
        }
        if let Some(lasting) = &self.lasting {
            choices.push(choice(Decision::Always, lasting_words(lasting)));
        }
        if let Some(lasting) = &self.lasting_directory {
            choices.push(choice(Decision::AlwaysDirectory, lasting_words(lasting)));
        }
        choices
    }
}

fn choice(decision: Decision, covers: String) -> Choice {
    Choice { decision, covers }
}

fn words(exact: &Exact) -> String {
    match exact {
        Exact::Outside {
            operation,
            path,
            reach: Reach::Entry,
        } => format!("{operation} of {path} by any tool"),
        Exact::Outside {
            operation,
            path,
            reach: Reach::Tree,
        } => format!("{operation} of everything in {path} by any tool"),
        Exact::Change { tool, operation, path } => format!("{operation} of {path} by {tool}"),
        Exact::Key { tool, .. } if tool == "bash" => "exactly this command".to_owned(),
        Exact::Key { tool, .. } => format!("exactly this call of {tool}"),
    }
}

fn lasting_words(lasting: &Lasting) -> String {
    match lasting {
        Lasting::Rule(rule) => format!("exactly this from now on: {rule}"),
        Lasting::Path { access, .. } => format!("from now on, any tool, access {access}: {}", lasting.pattern()),
    }
}
