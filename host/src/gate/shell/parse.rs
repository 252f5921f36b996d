//! Lists, pipelines and simple commands.

use super::cursor::{Failure, Parser, ends_word};
use super::syntax::{Assignment, Command, Dialect, Kind, List, Pipeline, Simple, Statement, Word};

/// A parsed text.
#[derive(Debug)]
pub(super) struct Script {
    /// What was understood before the failure, or everything.
    pub(super) list: List,
    /// What the bodies of its here-documents run.
    pub(super) documents: Vec<List>,
    pub(super) failure: Option<Failure>,
}

/// Parses a whole text, `depth` constructs below the command it comes from.
pub(super) fn parse(source: &str, dialect: Dialect, depth: usize) -> Script {
    let mut parser = Parser::new(source, dialect, depth);
    let list = parser.list();
    if parser.peek().is_some() {
        parser.fail(Failure::Syntax(
            "a closing word or bracket stands where a command is expected",
        ));
    }
    parser.read_documents();
    Script {
        list,
        documents: parser.documents,
        failure: parser.failure,
    }
}

impl Parser<'_> {
    /// Statements up to whatever cannot begin one: the end, `)`, `;;` or a closing word.
    pub(super) fn list(&mut self) -> List {
        let mut list = List::new();
        loop {
            self.skip_lines();
            match self.peek() {
                None | Some(')' | ';' | '&' | '|') => return list,
                Some(_) => {}
            }
            if let Some("then" | "else" | "elif" | "fi" | "do" | "done" | "esac" | "}") = self.reserved() {
                return list;
            }
            let mut statement = self.statement();
            self.skip_blanks();
            let mut ended = false;
            if !self.sees(";;") && !self.sees(";&") {
                statement.background = self.sees("&");
                ended = self.eat('&') || self.eat(';');
            }
            list.push(statement);
            if !ended && !self.line_break() {
                return list;
            }
        }
    }

    fn statement(&mut self) -> Statement {
        let mut pipelines = vec![self.pipeline()];
        loop {
            self.skip_blanks();
            if !(self.eat_text("&&") || self.eat_text("||")) {
                break;
            }
            self.skip_lines();
            pipelines.push(self.pipeline());
        }
        Statement {
            pipelines,
            background: false,
        }
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut pipeline = Pipeline::default();
        loop {
            self.skip_blanks();
            if self.eat_word("!") {
                pipeline.negated = true;
            } else if self.bash() && self.eat_word("time") {
                pipeline.timed = true;
                self.skip_blanks();
                self.eat_word("-p");
            } else {
                break;
            }
        }
        // `time` and `!` may stand alone.
        let alone =
            (pipeline.timed || pipeline.negated) && (self.peek().is_none_or(|char| matches!(char, '\n' | ';' | ')')));
        if alone {
            return pipeline;
        }
        pipeline.stages.reserve_exact(1);
        loop {
            pipeline.stages.push(self.deeper(Self::command));
            self.skip_blanks();
            if self.sees("||") || !self.eat('|') {
                break;
            }
            if self.bash() {
                self.eat('&');
            }
            self.skip_lines();
        }
        pipeline
    }

    /// One command with its redirections.
    pub(super) fn command(&mut self) -> Command {
        self.skip_blanks();
        let kind = match self.compound() {
            Some(kind) => kind,
            None => return self.simple(),
        };
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(target) => redirects.push(target),
                None => return Command { kind, redirects },
            }
        }
    }

    fn simple(&mut self) -> Command {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            if let Some(target) = self.redirect() {
                redirects.push(target);
            } else if self.peek() == Some('(') {
                match simple.words.as_slice() {
                    [name] if simple.assignments.is_empty() && redirects.is_empty() && !name.traits.quoted => {
                        let name = name.text.clone();
                        return self.function(name);
                    }
                    _ => self.fail(Failure::Syntax("a bracket stands inside a command")),
                }
            } else if self.peek().is_none_or(ends_word) && !self.process_substitution_ahead() {
                break;
            } else if simple.words.is_empty()
                && let Some(assignment) = self.assignment()
            {
                simple.assignments.push(assignment);
            } else if self.bash()
                && simple.words.first().is_some_and(|name| is_declaration(&name.text))
                && let Some(assignment) = self.assignment()
            {
                // `declare a=(…)`: the only place where an argument may be an array.
                simple.words.extend(assignment.into_words());
            } else {
                let word = self.word();
                // Hostile texts are full of commands of one word.
                simple.words.reserve_exact(usize::from(simple.words.is_empty()));
                simple.words.push(word);
            }
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && redirects.is_empty() {
            self.fail(Failure::Syntax("a command is missing"));
        }
        Command {
            kind: Kind::Simple(simple),
            redirects,
        }
    }

    /// `NAME=value` if it comes next, and what only bash takes for one.
    fn assignment(&mut self) -> Option<Assignment> {
        let start = self.at;
        let mut name = String::new();
        while let Some(char) = self.peek()
            && (char.is_ascii_alphabetic() || char == '_' || char.is_ascii_digit() && !name.is_empty())
        {
            name.push(char);
            self.take();
        }
        if self.bash() && !name.is_empty() && self.peek() == Some('[') {
            return self.element(start, name);
        }
        let assigns = !name.is_empty() && (self.eat('=') || self.bash() && self.eat_text("+="));
        if !assigns {
            self.at = start;
            return None;
        }
        let array = self.bash() && self.eat('(');
        let mut values = Vec::new();
        if array {
            loop {
                self.skip_lines();
                if self.eat(')') {
                    break;
                }
                if self.peek().is_none_or(ends_word) && !self.process_substitution_ahead() {
                    self.fail(Failure::Syntax("an array is not closed"));
                    break;
                }
                values.push(self.word());
            }
        } else {
            values.push(self.value());
        }
        Some(Assignment { name, values, array })
    }

    /// `NAME[subscript]=value`.
    fn element(&mut self, start: usize, name: String) -> Option<Assignment> {
        self.at = start;
        let word = self.word();
        let assigns = word.text.find(']').is_some_and(|end| {
            let after = &word.text[end + 1..];
            after.starts_with('=') || after.starts_with("+=")
        });
        if !assigns {
            self.at = start;
            return None;
        }
        Some(Assignment {
            name,
            values: vec![word],
            array: true,
        })
    }

    fn function(&mut self, name: String) -> Command {
        self.eat('(');
        self.skip_blanks();
        if !self.eat(')') {
            self.fail(Failure::Syntax("a bracket stands inside a command"));
        }
        self.function_body(name)
    }

    pub(super) fn function_body(&mut self, name: String) -> Command {
        self.skip_lines();
        let body = self.deeper(Self::command);
        Command {
            kind: Kind::Function {
                name,
                body: Box::new(body),
            },
            redirects: Vec::new(),
        }
    }
}

impl Assignment {
    fn into_words(self) -> Vec<Word> {
        let mut words = vec![Word::plain(&format!("{}=", self.name))];
        words.extend(self.values);
        words
    }
}

/// The builtins that take assignments as arguments.
pub(super) fn is_declaration(name: &str) -> bool {
    matches!(
        name,
        "export" | "declare" | "typeset" | "local" | "readonly" | "let" | "nameref"
    )
}
