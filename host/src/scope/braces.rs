//! The pieces of a glob, and every way to read its `{a,b}`.

use super::glob::class;

/// Most pieces of all ways to read one pattern together: far more than
/// anybody writes, and little enough to compile.
const MAX_PIECES: usize = 20_000;

/// One piece of a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A character as written; `?` and `/` mean what they mean in globs.
    Char(char),
    /// A character behind a backslash.
    Escaped(char),
    /// A `[…]` as a regular expression.
    Class(String),
    /// `*`
    Star,
    /// Two or more of them.
    Stars,
}

/// One way to read a glob, without braces.
pub(super) type Way = Vec<Piece>;

/// A brace that is open: the ways to what stands before it, and those through
/// its alternatives so far.
struct Open {
    before: Vec<Way>,
    through: Vec<Way>,
}

/// Every way to read a glob. What `**` means depends on what stands around it,
/// and that may differ between alternatives; read out one by one it is plain.
pub(super) fn ways(glob: &str) -> Result<Vec<Way>, String> {
    let mut chars = glob.chars().peekable();
    let mut ways = vec![Way::new()];
    let mut open: Vec<Open> = Vec::new();
    while let Some(char) = chars.next() {
        let piece = match (char, open.last_mut()) {
            ('{', _) => {
                open.push(Open {
                    before: std::mem::replace(&mut ways, vec![Way::new()]),
                    through: Vec::new(),
                });
                continue;
            }
            (',', Some(brace)) => {
                brace.through.append(&mut ways);
                ways.push(Way::new());
                continue;
            }
            ('}', Some(_)) => {
                let Some(mut brace) = open.pop() else { continue };
                brace.through.append(&mut ways);
                ways = joined(&brace)?;
                continue;
            }
            ('*', _) => {
                let mut piece = Piece::Star;
                while chars.next_if_eq(&'*').is_some() {
                    piece = Piece::Stars;
                }
                piece
            }
            ('[', _) => Piece::Class(class(&mut chars)?),
            ('\\', _) => Piece::Escaped(chars.next().ok_or("it ends in a backslash")?),
            (char, _) => Piece::Char(char),
        };
        for way in &mut ways {
            way.push(piece.clone());
        }
        if ways.len() > 1 {
            bounded(ways.iter().map(Vec::len))?;
        }
    }
    if open.is_empty() {
        Ok(ways)
    } else {
        Err("a { is not closed; write \\{ for the character".to_owned())
    }
}

fn joined(brace: &Open) -> Result<Vec<Way>, String> {
    let pairs = || {
        brace
            .before
            .iter()
            .flat_map(|way| brace.through.iter().map(move |part| (way, part)))
    };
    bounded(pairs().map(|(way, part)| way.len() + part.len()))?;
    Ok(pairs().map(|(way, part)| [way.as_slice(), part].concat()).collect())
}

/// Ends at the limit, so that too many ways are not even counted.
fn bounded(lengths: impl Iterator<Item = usize>) -> Result<(), String> {
    let mut pieces = 0;
    for length in lengths {
        pieces += length + 1;
        if pieces > MAX_PIECES {
            return Err("its {} can be read in too many ways; write several patterns".to_owned());
        }
    }
    Ok(())
}
