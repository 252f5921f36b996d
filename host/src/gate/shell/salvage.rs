//! A reading of texts that no shell would accept as a whole, for prohibitions only.

use super::parse::Script;
use super::syntax::{Command, Kind, Pipeline, Simple, Statement, Word};

/// Words that may stand before a command without being one.
const KEYWORDS: [&str; 12] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "coproc", "&",
];

/// Everything that resembles a command: the text is cut at every line break,
/// `;`, `&`, bracket and backquote, quotes or not; quotes and backslashes are
/// dropped. It finds too much rather than too little: a prohibition may be
/// applied to a text that would not run at all.
pub(super) fn salvage(text: &str) -> Script {
    let list = text
        .split(['\n', ';', '&', '(', ')', '`'])
        .map(|piece| Statement {
            pipelines: vec![Pipeline {
                stages: piece.split('|').filter_map(command).collect(),
                ..Pipeline::default()
            }],
            background: false,
        })
        .filter(|statement| !statement.pipelines[0].stages.is_empty())
        .collect();
    Script {
        list,
        documents: Vec::new(),
        failure: None,
    }
}

fn command(piece: &str) -> Option<Command> {
    let words: Vec<Word> = piece
        .split_whitespace()
        .map(|word| word.replace(['\'', '"', '\\', '$'], ""))
        .skip_while(|word| KEYWORDS.contains(&word.as_str()) || super::wrappers::is_assignment(word))
        .map(|word| Word::plain(&word))
        .collect();
    (!words.is_empty()).then(|| Command {
        kind: Kind::Simple(Simple {
            words,
            ..Simple::default()
        }),
        redirects: Vec::new(),
    })
}
