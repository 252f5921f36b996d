//! Bracketed character classes of RE2.

use super::dialect::{Input, bad_escape};

/// Reads a class whose `[` is already taken, and writes it for the engine.
///
/// In RE2 `[[a]]` is a class followed by `]`, and `[a&&b]` holds `&`; the engine would see nested
/// classes and set operations. So every single character is written in a form that has no other
/// meaning.
pub(super) fn translate(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    out.push('[');
    if input.take_if('^') {
        out.push('^');
    }
    let mut first = true;
    while first || !input.take_if(']') {
        first = false;
        if let Some(name) = posix(input) {
            out.push_str("[:");
            out.push_str(name);
            out.push_str(":]");
        } else if !set_escape(input, out)? {
            range(input, out)?;
        }
    }
    out.push(']');
    Ok(())
}

/// `[:alpha:]` and the like, if that comes next.
fn posix<'p>(input: &mut Input<'p>) -> Option<&'p str> {
    let (name, _) = input.rest().strip_prefix("[:")?.split_once(":]")?;
    let is_name = name.chars().all(|c| c == '^' || c.is_ascii_alphabetic());
    is_name.then(|| {
        input.skip(name.len() + 4);
        name
    })
}

/// `\d` and the like, or `\p…`, if that comes next. Inside a class the negated forms are nested.
fn set_escape(input: &mut Input<'_>, out: &mut String) -> Result<bool, String> {
    let Some(kind) = input.rest().strip_prefix('\\').and_then(|rest| rest.chars().next()) else {
        return Ok(false);
    };
    match kind {
        'd' | 'D' | 'w' | 'W' | 's' | 'S' => {
            input.skip(2);
            out.push_str(ascii_set(kind));
        }
        'p' | 'P' => {
            input.skip(2);
            out.push('\\');
            out.push(kind);
            input.copy_braced(out)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The ASCII set of a Perl class letter, as a class.
pub(super) fn ascii_set(kind: char) -> &'static str {
    match kind {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        's' => r"[\t\n\x0C\r ]",
        _ => r"[^\t\n\x0C\r ]",
    }
}

/// A single character or a range.
fn range(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    let low = character(input)?;
    push(out, low);
    let is_range = input
        .rest()
        .strip_prefix('-')
        .is_some_and(|rest| !rest.starts_with(']'));
    if is_range {
        input.skip(1);
        let high = character(input)?;
        if high < low {
            return Err(format!("the range `{low}-{high}` in a character class runs backwards"));
        }
        out.push('-');
        push(out, high);
    }
    Ok(())
}

fn character(input: &mut Input<'_>) -> Result<char, String> {
    match input.take() {
        None => Err("a character class lacks its closing `]`".to_owned()),
        Some('\\') => {
            let escaped = input.take().ok_or("it ends in a single backslash")?;
            input.character_escape(escaped)?.ok_or_else(|| bad_escape(escaped))
        }
        Some(plain) => Ok(plain),
    }
}

fn push(out: &mut String, character: char) {
    out.push_str(&format!("\\x{{{:X}}}", u32::from(character)));
}
