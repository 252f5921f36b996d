//! One plain command, split into words as slow and plain as it can be written.

/// Words that mean something else where a command is expected.
const RESERVED: [&str; 20] = [
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "{", "}", "!", "[[",
    "function", "select", "time", "coproc",
];

/// The words of a text that is one command and nothing else, without quotes
/// and backslashes. Nothing for a text with anything in it that a shell could
/// take for more: operators, expansions, a second line.
pub(crate) fn words(text: &str) -> Option<Vec<String>> {
    let mut scan = Scan {
        chars: text.chars().collect(),
        at: 0,
        words: Vec::new(),
        word: None,
        bare: true,
        ended: false,
    };
    scan.run()?;
    scan.end_word()?;
    (!scan.words.is_empty()).then_some(scan.words)
}

struct Scan {
    chars: Vec<char>,
    at: usize,
    words: Vec<String>,
    word: Option<String>,
    /// Nothing in the word is quoted.
    bare: bool,
    /// The command is over: only blanks and comments may follow.
    ended: bool,
}

impl Scan {
    fn run(&mut self) -> Option<()> {
        while let Some(char) = self.next() {
            match char {
                '\0' | '&' | '|' | '<' | '>' | '(' | ')' | '`' => return None,
                ' ' | '\t' => self.end_word()?,
                '\n' => {
                    self.end_word()?;
                    self.ended |= !self.words.is_empty();
                }
                ';' => {
                    self.end_word()?;
                    if self.ended || self.words.is_empty() {
                        return None;
                    }
                    self.ended = true;
                }
                '#' if self.word.is_none() => {
                    while self.chars.get(self.at).is_some_and(|char| *char != '\n') {
                        self.at += 1;
                    }
                }
                '$' => {
                    if self.expands("'\"[") {
                        return None;
                    }
                    self.push('$');
                }
                '\'' => {
                    self.quote();
                    loop {
                        match self.raw()? {
                            '\'' => break,
                            char => self.push(char),
                        }
                    }
                }
                '"' => self.double_quotes()?,
                '\\' => {
                    self.quote();
                    let char = self.raw().unwrap_or('\\');
                    self.push(char);
                }
                char => self.push(char),
            }
        }
        Some(())
    }

    fn double_quotes(&mut self) -> Option<()> {
        self.quote();
        loop {
            match self.next()? {
                '"' => return Some(()),
                '`' => return None,
                '$' if self.expands("[") => return None,
                '\\' if self.chars.get(self.at).is_some_and(|char| "$`\"\\".contains(*char)) => {
                    let char = self.raw()?;
                    self.push(char);
                }
                char => self.push(char),
            }
        }
    }

    /// Whether what follows a dollar sign makes it more than one.
    fn expands(&mut self, further: &str) -> bool {
        let at = self.at;
        let found = self
            .next()
            .is_some_and(|char| char.is_ascii_alphanumeric() || "_{(@*#?-$!".contains(char) || further.contains(char));
        self.at = at;
        found
    }

    fn raw(&mut self) -> Option<char> {
        let char = self.chars.get(self.at).copied()?;
        self.at += 1;
        (char != '\0').then_some(char)
    }

    /// The next character, lines joined.
    fn next(&mut self) -> Option<char> {
        while self.chars[self.at..].starts_with(&['\\', '\n']) {
            self.at += 2;
        }
        let char = self.chars.get(self.at).copied()?;
        self.at += 1;
        Some(char)
    }

    fn quote(&mut self) {
        self.word.get_or_insert_default();
        self.bare = false;
    }

    fn push(&mut self, char: char) {
        self.word.get_or_insert_default().push(char);
    }

    fn end_word(&mut self) -> Option<()> {
        let bare = std::mem::replace(&mut self.bare, true);
        let Some(word) = self.word.take() else { return Some(()) };
        let taken = self.words.is_empty() && bare && RESERVED.contains(&word.as_str());
        if self.ended || taken {
            return None;
        }
        self.words.push(word);
        Some(())
    }
}
