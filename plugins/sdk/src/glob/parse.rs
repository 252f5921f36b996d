//! From the text of a pattern to one list of tokens for each choice of its braces.

use std::iter::Peekable;
use std::str::Chars;

use super::MAX_ALTERNATIVES;
use super::class::Class;

/// Braces within braces deeper than this are no pattern that anybody means.
const MAX_DEPTH: usize = 8;

/// The smallest piece of a pattern without braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A character as it stands, `/` included.
    Char(char),
    /// `?`
    Any,
    /// `[…]`
    Class(Class),
    /// One `*`. Two in a row mean more; they may come together only when braces are resolved.
    Star,
}

enum Node {
    Token(Token),
    Braces(Vec<Vec<Node>>),
}

/// What the pattern stands for.
pub(super) fn alternatives(text: &str) -> Result<Vec<Vec<Token>>, String> {
    let mut parser = Parser {
        chars: text.chars().peekable(),
        depth: 0,
    };
    expand(&parser.nodes()?)
}

struct Parser<'a> {
    chars: Peekable<Chars<'a>>,
    /// How many braces are open.
    depth: usize,
}

impl Parser<'_> {
    /// Up to the end, or within braces up to the next `,` or `}`.
    fn nodes(&mut self) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        while let Some(char) = self.chars.next_if(|char| self.depth == 0 || !matches!(char, ',' | '}')) {
            nodes.push(match char {
                '*' => Node::Token(Token::Star),
                '?' => Node::Token(Token::Any),
                '[' => Node::Token(Token::Class(Class::parse(&mut self.chars)?)),
                '{' => Node::Braces(self.braces()?),
                '\\' => Node::Token(Token::Char(
                    self.chars
                        .next()
                        .ok_or("it ends in a lone `\\`; write `\\\\` for the character itself")?,
                )),
                literal => Node::Token(Token::Char(literal)),
            });
        }
        Ok(nodes)
    }

    fn braces(&mut self) -> Result<Vec<Vec<Node>>, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("its braces are nested deeper than {MAX_DEPTH}"));
        }
        let mut choices = Vec::new();
        loop {
            choices.push(self.nodes()?);
            match self.chars.next() {
                Some(',') => {}
                Some(_) => break,
                None => return Err("a `{` is not closed by `}`; write `\\{` for the character itself".to_owned()),
            }
        }
        self.depth -= 1;
        Ok(choices)
    }
}

fn expand(nodes: &[Node]) -> Result<Vec<Vec<Token>>, String> {
    let mut expanded = vec![Vec::new()];
    for node in nodes {
        match node {
            Node::Token(token) => expanded.iter_mut().for_each(|tokens| tokens.push(token.clone())),
            Node::Braces(choices) => {
                let mut endings = Vec::new();
                for choice in choices {
                    endings.append(&mut expand(choice)?);
                    within_limit(endings.len())?;
                }
                within_limit(expanded.len() * endings.len())?;
                expanded = expanded
                    .iter()
                    .flat_map(|start| endings.iter().map(|end| [start.as_slice(), end.as_slice()].concat()))
                    .collect();
            }
        }
    }
    Ok(expanded)
}

fn within_limit(count: usize) -> Result<(), String> {
    if count > MAX_ALTERNATIVES {
        Err(format!(
            "its braces stand for more than {MAX_ALTERNATIVES} patterns; use `*` or several calls"
        ))
    } else {
        Ok(())
    }
}
