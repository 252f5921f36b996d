//! Patterns for paths once more: braces first, each way they can be read, then letter by letter.

/// More ways to read the braces of one pattern, by the pieces of all of them,
/// than any that is accepted has.
const MOST_PIECES: usize = 25_000;

/// A pattern as texts without braces; nothing for one that must be refused.
#[derive(Debug)]
pub(crate) struct PlainGlob(Vec<Vec<Piece>>);

#[derive(Debug, Clone)]
enum Piece {
    One(char),
    /// `?`
    Any,
    Class(bool, Vec<(char, char)>),
    /// `*`
    Star,
    /// `**` that is neither of the two below
    Deep,
    /// `**/` at the start of a name
    Folders,
    /// `**` at the start of a name and the end of the pattern
    Below,
}

/// Part of a pattern, before braces are read out.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Char(char),
    Escaped(char),
    Class(bool, Vec<(char, char)>),
    Stars(bool),
}

impl PlainGlob {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut tokens = tokens(text)?;
        tokens.reverse();
        let ways = sequence(&mut tokens, 0)?;
        tokens
            .is_empty()
            .then(|| Self(ways.iter().map(|way| pieces(way)).collect()))
    }

    pub(crate) fn matches(&self, path: &str) -> bool {
        let path: Vec<char> = path.chars().collect();
        self.0.iter().any(|pieces| matches(pieces, &path))
    }

    /// Whether it names the path or something above it.
    pub(crate) fn matches_above(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        ends.into_iter().any(|end| self.matches(&path[..end]))
    }
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(char) = chars.get(at) {
        at += 1;
        match char {
            '\\' => {
                tokens.push(Token::Escaped(*chars.get(at)?));
                at += 1;
            }
            '[' => {
                let (class, end) = class(&chars, at)?;
                tokens.push(class);
                at = end;
            }
            '*' => {
                let run = chars[at..].iter().take_while(|char| **char == '*').count();
                tokens.push(Token::Stars(run > 0));
                at += run;
            }
            char => tokens.push(Token::Char(*char)),
        }
    }
    Some(tokens)
}

fn class(chars: &[char], mut at: usize) -> Option<(Token, usize)> {
    let negated = matches!(chars.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let one = |at: usize| match chars.get(at)? {
        '\\' => Some((*chars.get(at + 1)?, at + 2)),
        char => Some((*char, at + 1)),
    };
    let mut ranges = Vec::new();
    while ranges.is_empty() || *chars.get(at)? != ']' {
        let (low, next) = one(at)?;
        let spans = chars.get(next) == Some(&'-') && chars.get(next + 1).is_some_and(|char| *char != ']');
        let (high, next) = if spans { one(next + 1)? } else { (low, next) };
        if low > high {
            return None;
        }
        ranges.push((low, high));
        at = next;
    }
    Some((Token::Class(negated, ranges), at + 1))
}

/// Every way to read what comes up to the end, or within braces to a comma or bracket.
fn sequence(tokens: &mut Vec<Token>, depth: usize) -> Option<Vec<Vec<Token>>> {
    let mut ways = vec![Vec::new()];
    while let Some(token) = tokens.last() {
        let parts = match token {
            Token::Char(',' | '}') if depth > 0 => return Some(ways),
            Token::Char('{') => {
                tokens.pop();
                let mut parts = sequence(tokens, depth + 1)?;
                while tokens.pop()? == Token::Char(',') {
                    parts.extend(sequence(tokens, depth + 1)?);
                }
                parts
            }
            _ => vec![tokens.pop().into_iter().collect()],
        };
        let pieces = |ways: &[Vec<Token>]| ways.iter().map(|way| way.len() + 1).sum::<usize>();
        if pieces(&ways) * parts.len() + pieces(&parts) * ways.len() > 2 * MOST_PIECES {
            return None;
        }
        let join = |way: &Vec<Token>| {
            parts
                .iter()
                .map(|part| [way.as_slice(), part].concat())
                .collect::<Vec<_>>()
        };
        ways = ways.iter().flat_map(join).collect();
    }
    (depth == 0).then_some(ways)
}

fn pieces(way: &[Token]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut starts_name = true;
    while let Some(token) = way.get(at) {
        let begun = std::mem::replace(&mut starts_name, *token == Token::Char('/'));
        at += 1;
        pieces.push(match token {
            Token::Char('?') => Piece::Any,
            Token::Char(char) | Token::Escaped(char) => Piece::One(*char),
            Token::Class(negated, ranges) => Piece::Class(*negated, ranges.clone()),
            Token::Stars(false) => Piece::Star,
            Token::Stars(true) if begun && way.get(at) == Some(&Token::Char('/')) => {
                at += 1;
                starts_name = true;
                Piece::Folders
            }
            Token::Stars(true) if begun && at == way.len() => Piece::Below,
            Token::Stars(true) => Piece::Deep,
        });
    }
    pieces
}

/// Which ends of the path each rest of the pattern fits, from the last piece to the first.
fn matches(pieces: &[Piece], path: &[char]) -> bool {
    let mut fits = vec![false; path.len() + 1];
    fits[path.len()] = true;
    for piece in pieces.iter().rev() {
        let rest = fits;
        fits = vec![false; path.len() + 1];
        for at in (0..=path.len()).rev() {
            let one = |takes: bool| takes && rest[at + 1];
            fits[at] = match (piece, path.get(at)) {
                (Piece::One(char), Some(found)) => one(char == found),
                (Piece::Any, Some(found)) => one(*found != '/'),
                (Piece::Class(negated, ranges), Some(found)) => {
                    one(*found != '/' && ranges.iter().any(|(low, high)| (low..=high).contains(&found)) != *negated)
                }
                (Piece::One(_) | Piece::Any | Piece::Class(..), None) => false,
                (Piece::Star, found) => rest[at] || found.is_some_and(|found| *found != '/') && fits[at + 1],
                (Piece::Deep, found) => rest[at] || found.is_some() && fits[at + 1],
                (Piece::Below, found) => found.is_some(),
                // One directory more each time; none of them is empty.
                (Piece::Folders, found) => {
                    let end = (at..path.len()).find(|end| path[*end] == '/');
                    rest[at] || found != Some(&'/') && end.is_some_and(|end| fits[end + 1])
                }
            };
        }
    }
    fits[0]
}
