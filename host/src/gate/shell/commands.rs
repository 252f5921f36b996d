//! Every simple command that a command line contains, wherever it stands.

use std::sync::Arc;

use super::cursor::MAX_DEPTH;
use super::parse::{Script, parse};
use super::salvage::salvage;
use super::syntax::{Command, Dialect, Kind, List, Pipeline, Word, base_name};
use super::wrappers::{Inner, inner};

/// Commands inside wrappers inside each other that are looked at.
const MAX_WRAPPERS: usize = 32;

/// Levels that a script inside a script counts for, so that four are looked into.
const SCRIPT_DEPTH: usize = MAX_DEPTH / 5;

/// How often each byte of a command line is parsed on average, as a part of
/// scripts inside scripts. Keeps time and memory in proportion to the text.
const MAX_PARSES: usize = 8;

/// A simple command: its name and arguments, without assignments and redirections.
#[derive(Debug, Clone)]
pub struct Words {
    all: Arc<[Word]>,
    from: usize,
    to: usize,
}

impl Words {
    pub(super) fn new(words: Vec<Word>) -> Self {
        Self {
            from: 0,
            to: words.len(),
            all: words.into(),
        }
    }

    /// A part of the same command: what a wrapper runs.
    pub(super) fn part(&self, from: usize, to: usize) -> Self {
        Self {
            all: Arc::clone(&self.all),
            from: self.from + from,
            to: (self.from + to).min(self.to),
        }
    }

    /// Name and arguments. Never empty.
    pub fn words(&self) -> &[Word] {
        self.all.get(self.from..self.to).unwrap_or_default()
    }

    /// The arguments.
    pub fn arguments(&self) -> &[Word] {
        self.words().get(1..).unwrap_or_default()
    }

    /// The command as it is called, or nothing if that depends on the run time.
    pub fn command(&self) -> Option<&str> {
        self.words().first().and_then(Word::literal)
    }

    /// The last name of the path that the command is called by.
    pub fn name(&self) -> Option<&str> {
        self.command().map(base_name)
    }
}

/// What a command line runs, as far as its text tells.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) commands: Vec<Words>,
    /// The commands of each pipeline of two or more stages, stage by stage.
    pub(super) pipelines: Vec<Vec<Vec<Words>>>,
    /// Function definitions: the name, and the names that the stages of its
    /// pipelines call.
    pub(super) functions: Vec<(String, Vec<Vec<String>>)>,
    /// No shell accepts the text, so that this is a guess at it.
    pub(super) guessed: bool,
    /// There are commands inside that were not looked at.
    pub(super) incomplete: bool,
    /// Bytes that may still be parsed.
    budget: usize,
}

/// Every simple command anywhere in a command line: in pipelines, lists,
/// compound commands, function bodies, substitutions and here-documents, behind
/// wrappers such as `env` or `xargs`, and in scripts handed to a shell. Where
/// dash and bash read the text differently, the commands of both readings are
/// among them. Of a text that neither accepts, everything that resembles a
/// command is.
pub fn simple_commands(command: &str) -> Vec<Words> {
    contents(command).commands
}

/// Whether a command line runs this command, by the name or path it is called
/// by, or wraps commands so deep that this cannot be told: for deny rules.
pub fn runs(command: &str, name: &str) -> bool {
    let hit = |words: &Words| words.name() == Some(name) || words.command() == Some(name);
    let contents = contents(command);
    contents.incomplete || contents.commands.iter().any(hit)
}

/// What a command line runs, read as dash and as bash.
pub(super) fn contents(command: &str) -> Contents {
    let mut contents = Contents {
        budget: MAX_PARSES * command.len(),
        ..Contents::default()
    };
    contents.text(command, 0);
    contents
}

impl Contents {
    fn text(&mut self, text: &str, depth: usize) {
        if depth >= MAX_DEPTH || text.len() > self.budget {
            self.incomplete = true;
            return;
        }
        self.budget -= text.len();
        let posix = parse(text, Dialect::Posix, depth);
        let bash = parse(text, Dialect::Bash, depth);
        if posix.failure.is_some() && bash.failure.is_some() {
            self.guessed = true;
            self.script(&salvage(text), depth);
        }
        self.script(&posix, depth);
        if posix.list != bash.list || posix.documents != bash.documents {
            self.script(&bash, depth);
        }
    }

    fn script(&mut self, script: &Script, depth: usize) {
        self.list(&script.list, depth);
        for document in &script.documents {
            self.list(document, depth);
        }
    }

    fn list(&mut self, list: &List, depth: usize) {
        for pipeline in list.iter().flat_map(|statement| &statement.pipelines) {
            self.pipeline(pipeline, depth);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, depth: usize) {
        let mut stages = Vec::new();
        for stage in &pipeline.stages {
            stages.push(self.command(stage, depth));
        }
        if stages.len() > 1 {
            self.pipelines.push(stages);
        }
    }

    /// Adds the commands in one command, and returns those that read its
    /// standard input and write its standard output.
    fn command(&mut self, command: &Command, depth: usize) -> Vec<Words> {
        for target in &command.redirects {
            self.word(target, depth);
        }
        let before = self.commands.len();
        match &command.kind {
            Kind::Simple(simple) => {
                for value in simple.assignments.iter().flat_map(|assignment| &assignment.values) {
                    self.word(value, depth);
                }
                for word in &simple.words {
                    self.word(word, depth);
                }
                let own = self.commands.len();
                if !simple.words.is_empty() {
                    self.add(Words::new(simple.words.iter().map(Word::bare).collect()), depth);
                }
                return self.commands[own..].to_vec();
            }
            Kind::Subshell(list) | Kind::Group(list) => {
                self.list(list, depth);
                return self.commands[before..].to_vec();
            }
            Kind::Compound { words, bodies, .. } => {
                words.iter().for_each(|word| self.word(word, depth));
                bodies.iter().for_each(|body| self.list(body, depth));
            }
            Kind::Function { name, body } => {
                let pipelines = self.pipelines.len();
                self.command(body, depth);
                let name_of = |stage: &Vec<Words>| stage.first().and_then(Words::name).unwrap_or("").to_owned();
                let called = self.pipelines[pipelines..]
                    .iter()
                    .map(|stages| stages.iter().map(name_of).collect())
                    .collect();
                self.functions.push((name.clone(), called));
            }
            Kind::Coprocess(inner) => return self.command(inner, depth),
        }
        Vec::new()
    }

    fn word(&mut self, word: &Word, depth: usize) {
        for script in &word.scripts {
            self.list(script, depth);
        }
    }

    /// Adds a command, and what it runs if it is a wrapper.
    fn add(&mut self, words: Words, depth: usize) {
        let mut next = vec![words];
        let mut looked = 0;
        while let Some(words) = next.pop() {
            let found = inner(&words);
            looked += usize::from(!found.is_empty());
            if looked > MAX_WRAPPERS {
                self.incomplete = true;
                return;
            }
            for found in found {
                match found {
                    Inner::Command(from, to) => next.push(words.part(from, to)),
                    Inner::Script(text) => self.text(&text, depth + SCRIPT_DEPTH),
                }
            }
            self.commands.push(words);
        }
    }
}
