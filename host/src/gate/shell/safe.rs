//! Whether a command is one plain call that only reads, and may therefore pass
//! on the strength of a rule or grant that names no more than its beginning.

use super::commands::Words;
use super::cursor::Failure;
use super::parse::{Script, is_declaration, parse};
use super::profiles::{effect, is_profiled, is_wrapper};
use super::syntax::{Dialect, Kind, Simple};
use super::wrappers::inner;

/// Why a command is not covered by a rule for its beginning. It is not
/// forbidden because of that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    /// No shell accepts it, or it is beyond what is checked.
    #[error("it cannot be read as a shell command: {0}")]
    Unreadable(#[from] Failure),
    /// dash and bash take it for different commands.
    #[error("sh and bash understand it differently")]
    Ambiguous,
    /// Nothing but blanks, comments or assignments.
    #[error("it runs no command")]
    NoCommand,
    /// A list, pipeline, compound command or the like; says which.
    #[error("it is more than one plain command: {0}")]
    Composite(&'static str),
    /// Input or output goes elsewhere.
    #[error("it redirects input or output")]
    Redirects,
    /// A word depends on variables or other commands.
    #[error("the word {0} is computed when it runs")]
    Computed(String),
    /// Variables are set for the command.
    #[error("it sets the variable {0} for the command")]
    Assigns(String),
    /// Which program runs depends on files.
    #[error("the command name {0} is a pattern")]
    PatternName(String),
    /// The command runs what it is given.
    #[error("{0} runs whatever it is given")]
    Wrapper(String),
    /// An option that does more than read.
    #[error("{command} does more than read with {argument}")]
    Effect {
        /// The command.
        command: String,
        /// The argument.
        argument: String,
    },
    /// A word may turn into an option.
    #[error("{argument} may become an option of {command}")]
    PatternOption {
        /// The command.
        command: String,
        /// The argument.
        argument: String,
    },
}

/// Whether a command may pass on a rule or grant for its beginning: one plain
/// command without assignments, that runs no other command and does nothing
/// but read as far as its options tell.
///
/// # Errors
/// What is in the way.
pub fn is_safe(command: &str) -> Result<(), Unsafe> {
    let simple = single(command)?;
    if let Some(assignment) = simple.assignments.first() {
        return Err(Unsafe::Assigns(assignment.name.clone()));
    }
    let words = Words::new(simple.words);
    let Some(name) = words.name() else {
        let name = words.words().first().map_or("", |word| word.text());
        return Err(Unsafe::PatternName(name.to_owned()));
    };
    let arguments = words.arguments();
    if is_wrapper(name) && !is_lookup(name, &words) {
        return Err(Unsafe::Wrapper(name.to_owned()));
    }
    if let Some(argument) = effect(name, arguments) {
        return Err(Unsafe::Effect {
            command: name.to_owned(),
            argument: argument.text().to_owned(),
        });
    }
    // Whatever else is known to run a command counts too.
    if !inner(&words).is_empty() && !is_lookup(name, &words) {
        return Err(Unsafe::Wrapper(name.to_owned()));
    }
    let risky = arguments.iter().find(|word| {
        let traits = word.traits;
        traits.braces || traits.open_start || (traits.glob && word.text().starts_with('-'))
    });
    match risky {
        Some(argument) if is_profiled(name) => Err(Unsafe::PatternOption {
            command: name.to_owned(),
            argument: argument.text().to_owned(),
        }),
        _ => Ok(()),
    }
}

/// The single command that a text consists of, if it is one plain call of
/// literal words. Assignments in front of it are left out, and what the
/// command does is not looked at: [`is_safe`] is for decisions.
///
/// # Errors
/// What else the text is.
pub fn single_command(command: &str) -> Result<Words, Unsafe> {
    single(command).map(|simple| Words::new(simple.words))
}

/// `command -v NAME…` only looks names up.
fn is_lookup(name: &str, words: &Words) -> bool {
    name == "command"
        && matches!(words.arguments(), [option, names @ ..] if option.text() == "-v"
            && !names.is_empty()
            && names.iter().all(|name| name.literal().is_some_and(|name| !name.starts_with('-'))))
}

/// Both readings have to be one and the same plain command.
fn single(command: &str) -> Result<Simple, Unsafe> {
    let bash = plain(parse(command, Dialect::Bash, 0))?;
    let posix = plain(parse(command, Dialect::Posix, 0))?;
    if bash != posix {
        return Err(Unsafe::Ambiguous);
    }
    Ok(bash)
}

fn plain(script: Script) -> Result<Simple, Unsafe> {
    if let Some(failure) = script.failure {
        return Err(failure.into());
    }
    let mut list = script.list;
    let Some(mut statement) = list.pop() else {
        return Err(Unsafe::NoCommand);
    };
    if !list.is_empty() {
        return Err(Unsafe::Composite("several commands"));
    }
    if statement.background {
        return Err(Unsafe::Composite("& runs it in the background"));
    }
    let Some(mut pipeline) = statement.pipelines.pop() else {
        return Err(Unsafe::NoCommand);
    };
    if !statement.pipelines.is_empty() {
        return Err(Unsafe::Composite("&& or ||"));
    }
    if pipeline.negated || pipeline.timed {
        return Err(Unsafe::Composite("! or time"));
    }
    let Some(command) = pipeline.stages.pop() else {
        return Err(Unsafe::NoCommand);
    };
    if !pipeline.stages.is_empty() {
        return Err(Unsafe::Composite("a pipeline"));
    }
    if !command.redirects.is_empty() {
        return Err(Unsafe::Redirects);
    }
    let simple = match command.kind {
        Kind::Simple(simple) => simple,
        Kind::Subshell(_) | Kind::Group(_) => return Err(Unsafe::Composite("a group of commands")),
        Kind::Function { .. } => return Err(Unsafe::Composite("a function")),
        Kind::Coprocess(_) => return Err(Unsafe::Composite("coproc")),
        Kind::Compound { keyword, .. } => return Err(Unsafe::Composite(keyword)),
    };
    literal(simple)
}

fn literal(simple: Simple) -> Result<Simple, Unsafe> {
    let values = simple.assignments.iter().flat_map(|assignment| &assignment.values);
    if let Some(word) = values.chain(&simple.words).find(|word| word.traits.expands) {
        return Err(Unsafe::Computed(word.text().to_owned()));
    }
    if let Some(array) = simple.assignments.iter().find(|assignment| assignment.array) {
        return Err(Unsafe::Assigns(array.name.clone()));
    }
    match simple.words.first() {
        None => Err(Unsafe::NoCommand),
        Some(name) if is_declaration(name.text()) => Err(Unsafe::Composite("a declaration")),
        Some(_) => Ok(simple),
    }
}
