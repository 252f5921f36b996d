//! Commands that start with a keyword or a bracket.

use super::cursor::{Failure, Parser, ends_word};
use super::syntax::{Kind, List, Word};

impl Parser<'_> {
    /// A compound command if one comes next.
    pub(super) fn compound(&mut self) -> Option<Kind> {
        if self.peek() == Some('(') {
            return Some(self.bracketed());
        }
        let keyword = self.reserved()?;
        let taken: &[&str] = &[
            "!", "in", "then", "else", "elif", "fi", "do", "done", "esac", "}", "time",
        ];
        if taken.contains(&keyword) {
            // The caller reports what stands here as a missing command.
            if keyword != "in" && keyword != "time" {
                self.fail(Failure::Syntax("a keyword stands where a command is expected"));
            }
            return None;
        }
        self.eat_word(keyword);
        Some(self.deeper(|parser| parser.keyword(keyword)))
    }

    fn keyword(&mut self, keyword: &'static str) -> Kind {
        match keyword {
            "{" => {
                let list = self.list();
                self.closing("}");
                Kind::Group(list)
            }
            "if" => self.conditional(),
            "while" | "until" => {
                let bodies = vec![self.list(), self.loop_body()];
                compound(keyword, Vec::new(), bodies)
            }
            "for" | "select" => self.iteration(keyword),
            "case" => self.case(),
            "[[" => self.test(),
            "function" => self.named_function(),
            _ => self.coprocess(),
        }
    }

    /// `((…))` in bash when it closes like that, else `(…)`.
    fn bracketed(&mut self) -> Kind {
        self.eat('(');
        if self.bash() && self.peek() == Some('(') && self.arithmetic_ahead() {
            return compound("((", vec![self.double_bracket()], Vec::new());
        }
        self.deeper(|parser| {
            let list = parser.list();
            if !parser.eat(')') {
                parser.fail(Failure::Syntax("a ( is not closed"));
            }
            Kind::Subshell(list)
        })
    }

    /// `(arithmetic))` after the first bracket.
    fn double_bracket(&mut self) -> Word {
        let mut word = Word::default();
        self.eat('(');
        self.deeper(|parser| parser.arithmetic(&mut word, '(', ')'));
        if !self.eat(')') {
            self.fail(Failure::Syntax("a (( is not closed"));
        }
        word
    }

    fn closing(&mut self, word: &'static str) {
        self.skip_lines();
        if !self.eat_word(word) {
            self.fail(Failure::Syntax("a compound command is not closed"));
        }
    }

    fn conditional(&mut self) -> Kind {
        let mut bodies = vec![self.list()];
        self.closing("then");
        bodies.push(self.list());
        while self.eat_word("elif") {
            bodies.push(self.list());
            self.closing("then");
            bodies.push(self.list());
        }
        if self.eat_word("else") {
            bodies.push(self.list());
        }
        self.closing("fi");
        compound("if", Vec::new(), bodies)
    }

    fn loop_body(&mut self) -> List {
        self.skip_lines();
        let close = if self.bash() && self.eat_word("{") {
            "}"
        } else {
            self.closing("do");
            "done"
        };
        let list = self.list();
        self.closing(close);
        list
    }

    /// `for NAME [in word …]` and `for ((…))`.
    fn iteration(&mut self, keyword: &'static str) -> Kind {
        self.skip_blanks();
        let mut words = Vec::new();
        if self.bash() && self.eat_text("((") {
            self.at -= 1;
            words.push(self.double_bracket());
        } else {
            words.push(self.value());
            self.skip_lines();
            if self.eat_word("in") {
                self.skip_blanks();
                while self.peek().is_some_and(|char| !ends_word(char)) || self.process_substitution_ahead() {
                    words.push(self.word());
                    self.skip_blanks();
                }
            }
        }
        self.skip_blanks();
        self.eat(';');
        let body = self.loop_body();
        compound(keyword, words, vec![body])
    }

    fn case(&mut self) -> Kind {
        self.skip_blanks();
        let mut words = vec![self.value()];
        let mut bodies = Vec::new();
        self.closing("in");
        loop {
            self.skip_lines();
            if self.eat_word("esac") {
                break;
            }
            self.eat('(');
            loop {
                self.skip_blanks();
                words.push(self.value());
                self.skip_blanks();
                if !self.eat('|') {
                    break;
                }
            }
            if !self.eat(')') {
                self.fail(Failure::Syntax("a case is not closed"));
                break;
            }
            bodies.push(self.list());
            self.skip_lines();
            if !(self.eat_text(";;&") || self.eat_text(";;") || self.eat_text(";&")) {
                self.closing("esac");
                break;
            }
        }
        compound("case", words, bodies)
    }

    /// `[[ … ]]`: only its words matter, and what they run.
    fn test(&mut self) -> Kind {
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            if self.eat_word("]]") {
                break;
            }
            match self.peek() {
                None => {
                    self.fail(Failure::Syntax("a [[ is not closed"));
                    break;
                }
                Some(char) if ends_word(char) && !self.process_substitution_ahead() => {
                    self.take();
                }
                Some(_) => words.push(self.word()),
            }
        }
        compound("[[", words, Vec::new())
    }

    /// `function NAME [()] body`.
    fn named_function(&mut self) -> Kind {
        self.skip_blanks();
        let name = self.value().text;
        self.skip_blanks();
        if self.eat('(') {
            self.skip_blanks();
            self.eat(')');
        }
        self.function_body(name).kind
    }

    /// `coproc [NAME] command`; a name is possible before a compound command only.
    fn coprocess(&mut self) -> Kind {
        self.skip_blanks();
        let start = self.at;
        while self
            .peek()
            .is_some_and(|char| char.is_ascii_alphanumeric() || char == '_')
        {
            self.take();
        }
        self.skip_blanks();
        let opens = ["{", "[[", "if", "while", "until", "for", "case", "select"];
        let named = self.peek() == Some('(') || self.reserved().is_some_and(|word| opens.contains(&word));
        if !named {
            self.at = start;
        }
        Kind::Coprocess(Box::new(self.deeper(Self::command)))
    }
}

fn compound(keyword: &'static str, words: Vec<Word>, bodies: Vec<List>) -> Kind {
    Kind::Compound { keyword, words, bodies }
}
