//! The syntax tree of a command line, as far as decisions need it.

/// Whose reading of the text the parser follows. Which shell `/bin/sh` is
/// depends on the machine, so every decision looks at both readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A shell with nothing beyond POSIX, such as dash.
    Posix,
    /// bash, also when it runs under the name `sh`.
    Bash,
}

/// Statements one after the other.
pub(super) type List = Vec<Statement>;

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) pipelines: Vec<Pipeline>,
    pub(super) background: bool,
}

/// Commands joined by `|`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pipeline {
    pub(super) negated: bool,
    pub(super) timed: bool,
    pub(super) stages: Vec<Command>,
}

/// One command with its redirections.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Command {
    pub(super) kind: Kind,
    /// What stands after the operators, here-document delimiters included.
    pub(super) redirects: Vec<Word>,
}

/// The forms of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Simple(Simple),
    /// `( … )`
    Subshell(List),
    /// `{ … }`
    Group(List),
    /// Everything that starts with another keyword: its name, the words it
    /// evaluates and the lists it runs.
    Compound {
        keyword: &'static str,
        words: Vec<Word>,
        bodies: Vec<List>,
    },
    Function {
        name: String,
        body: Box<Command>,
    },
    Coprocess(Box<Command>),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Simple(Simple::default())
    }
}

/// A command name with arguments, and the assignments in front of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<Assignment>,
    pub(super) words: Vec<Word>,
}

/// `NAME=value`, `NAME+=value`, `NAME[i]=value` or `NAME=(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: String,
    /// One word, or the elements of an array.
    pub(super) values: Vec<Word>,
    pub(super) array: bool,
}

/// One word of the source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Decoded text: quotes and backslashes are resolved, expansions stand as written.
    pub(super) text: String,
    pub(super) traits: Traits,
    /// The lists that command and process substitutions in the word run.
    pub(super) scripts: Vec<List>,
}

/// What else is to be known of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Traits {
    /// A parameter, command, arithmetic or process expansion.
    pub(super) expands: bool,
    /// An unquoted `*`, `?` or `[…]`.
    pub(super) glob: bool,
    /// The word can begin with something else than it is written with, because
    /// a glob or a brace list stands first.
    pub(super) open_start: bool,
    /// An unquoted `{…,…}` or `{…..…}`, which bash expands.
    pub(super) braces: bool,
    /// An unquoted `~` at the start.
    pub(super) tilde: bool,
    /// Some of it is quoted.
    pub(super) quoted: bool,
}

impl Word {
    /// The decoded text, with expansions as they are written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, if it is what the command receives, whatever the environment
    /// and the file system hold.
    pub fn literal(&self) -> Option<&str> {
        let Traits {
            expands,
            glob,
            braces,
            tilde,
            ..
        } = self.traits;
        (!expands && !glob && !braces && !tilde).then_some(self.text.as_str())
    }

    /// The word without what its substitutions run.
    pub(super) fn bare(&self) -> Self {
        Self {
            text: self.text.clone(),
            traits: self.traits,
            scripts: Vec::new(),
        }
    }

    /// A word that is only text.
    pub(super) fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }
}

/// The last name of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
