//! From the tokens of one alternative to what is matched.

use super::alternative::{Alternative, Name};
use super::parse::Token;
use super::sequence::{Sequence, Step};

/// Takes the names of a pattern apart and gives `**` its meaning.
pub(super) fn lower(tokens: Vec<Token>) -> Result<Alternative, String> {
    let names: Vec<&[Token]> = tokens.split(|token| *token == Token::Char('/')).collect();
    if names.iter().any(|name| is(name, "..")) {
        return Err("it contains `..`; give the directory above as `path` instead".to_owned());
    }
    let (name, directories) = match names.as_slice() {
        [] | [_] => return Ok(Alternative::Name(Name::new(steps(&tokens, Step::Star)))),
        [[], ..] => {
            return Err(
                "it is absolute, but patterns are matched below a directory; give that directory as `path` \
                 and only the rest as `pattern`"
                    .to_owned(),
            );
        }
        [.., []] => {
            return Err("it ends in `/`, but only files match; add `**` for everything below".to_owned());
        }
        [directories @ .., name] => (*name, directories),
    };
    let mut above = Vec::new();
    for directory in directories.iter().filter(|name| !name.is_empty() && !is(name, ".")) {
        if is_globstar(directory) {
            push_directories(&mut above);
        } else {
            above.extend(steps(directory, Step::Anything));
            push_char(&mut above, '/');
        }
    }
    let name = if is_globstar(name) {
        push_directories(&mut above);
        vec![Step::Star]
    } else {
        steps(name, Step::Anything)
    };
    Ok(if name.contains(&Step::Anything) {
        above.extend(name);
        Alternative::Whole(Sequence::new(above))
    } else if matches!(above.as_slice(), [Step::Directories]) {
        Alternative::Name(Name::new(name))
    } else {
        Alternative::Path(Sequence::new(above), Name::new(name))
    })
}

fn is(name: &[Token], text: &str) -> bool {
    name.iter().cloned().eq(text.chars().map(Token::Char))
}

fn is_globstar(name: &[Token]) -> bool {
    name.len() > 1 && name.iter().all(|token| *token == Token::Star)
}

/// The steps of one name, with `double` for two or more `*` in a row.
fn steps(name: &[Token], double: Step) -> Vec<Step> {
    let mut steps = Vec::new();
    for token in name {
        match (token, steps.last()) {
            (Token::Char(char), _) => push_char(&mut steps, *char),
            (Token::Any, _) => steps.push(Step::Any),
            (Token::Class(class), _) => steps.push(Step::Class(class.clone())),
            (Token::Star, Some(Step::Star | Step::Anything)) => {
                steps.pop();
                steps.push(double.clone());
            }
            (Token::Star, _) => steps.push(Step::Star),
        }
    }
    steps
}

/// `**/**` is no more than `**`.
fn push_directories(steps: &mut Vec<Step>) {
    if steps.last() != Some(&Step::Directories) {
        steps.push(Step::Directories);
    }
}

fn push_char(steps: &mut Vec<Step>, char: char) {
    match steps.last_mut() {
        Some(Step::Literal(literal)) => literal.push(char),
        _ => steps.push(Step::Literal(char.to_string())),
    }
}
