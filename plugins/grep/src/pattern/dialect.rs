//! RE2 syntax, written for the engine.
//!
//! The two differ in places where a wrong guess would go unnoticed: in RE2 `\d \w \s \b` are
//! ASCII, `\Q…\E` quotes, `\<` is a `<`, `{` that begins no repetition is literal, and classes
//! neither nest nor have set operations.

use super::class;

/// The highest repetition count of RE2.
const MAX_REPETITION: u32 = 1000;

/// Translates a pattern; the error says what is not valid or not supported.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut input = Input { rest: pattern };
    let mut out = String::with_capacity(pattern.len() + 16);
    while let Some(next) = input.take() {
        match next {
            '\\' => escape(&mut input, &mut out)?,
            '[' => class::translate(&mut input, &mut out)?,
            '(' => group(&mut input, &mut out)?,
            '{' => repetition(&mut input, &mut out)?,
            '}' | ']' => push_literal(&mut out, next),
            other => out.push(other),
        }
    }
    Ok(out)
}

fn escape(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    let kind = input.take().ok_or("it ends in a single backslash")?;
    match kind {
        'Q' => {
            let (quoted, after) = input.rest.split_once("\\E").unwrap_or((input.rest, ""));
            input.rest = after;
            regex_syntax::escape_into(quoted, out);
        }
        'd' | 'D' | 'w' | 'W' | 's' | 'S' => out.push_str(class::ascii_set(kind)),
        'b' | 'B' => {
            out.push_str("(?-u:\\");
            out.push(kind);
            out.push(')');
        }
        'A' | 'z' => {
            out.push('\\');
            out.push(kind);
        }
        'p' | 'P' => {
            out.push('\\');
            out.push(kind);
            input.copy_braced(out)?;
        }
        _ => match input.character_escape(kind)? {
            Some(character) => push_literal(out, character),
            None => return Err(bad_escape(kind)),
        },
    }
    Ok(())
}

fn group(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    out.push('(');
    if !input.take_if('?') {
        return Ok(());
    }
    out.push('?');
    let rest = input.rest;
    if ["=", "!", "<=", "<!"].iter().any(|look| rest.starts_with(look)) {
        return Err("look-around is unsupported; matching takes linear time".to_owned());
    }
    if rest.starts_with("P=") || rest.starts_with("P>") {
        return Err("back-references and recursion are unsupported".to_owned());
    }
    if let Some(name) = rest.strip_prefix("P<").or_else(|| rest.strip_prefix('<')) {
        let (name, _) = name.split_once('>').ok_or("a group name lacks its closing `>`")?;
        out.push_str("P<");
        out.push_str(name);
        out.push('>');
        input.skip(rest.len() - rest.split_once('>').map_or("", |(_, after)| after).len());
        return Ok(());
    }
    while let Some(flag) = input.take() {
        match flag {
            ':' | ')' => {
                out.push(flag);
                return Ok(());
            }
            'i' | 'm' | 's' | 'U' | '-' => out.push(flag),
            other => return Err(format!("`(?{other}` is unsupported; flags are i, m, s and U")),
        }
    }
    Err("a group is not closed".to_owned())
}

fn repetition(input: &mut Input<'_>, out: &mut String) -> Result<(), String> {
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let bounds = input
        .rest
        .split_once('}')
        .map(|(bounds, _)| bounds)
        .filter(|bounds| match bounds.split_once(',') {
            None => is_count(bounds),
            Some((least, most)) => is_count(least) && (most.is_empty() || is_count(most)),
        });
    let Some(bounds) = bounds else {
        push_literal(out, '{');
        return Ok(());
    };
    let too_many = |count: &str| count.parse::<u32>().map_or(true, |count| count > MAX_REPETITION);
    if bounds.split(',').any(|count| !count.is_empty() && too_many(count)) {
        return Err(format!("the repetition `{{{bounds}}}` exceeds {MAX_REPETITION}"));
    }
    out.push('{');
    out.push_str(bounds);
    out.push('}');
    input.skip(bounds.len() + 1);
    Ok(())
}

fn push_literal(out: &mut String, character: char) {
    regex_syntax::escape_into(character.encode_utf8(&mut [0; 4]), out);
}

pub(super) fn bad_escape(kind: char) -> String {
    format!("the escape `\\{kind}` is unknown here")
}

/// What is left of a pattern.
pub(super) struct Input<'p> {
    rest: &'p str,
}

impl<'p> Input<'p> {
    pub(super) fn rest(&self) -> &'p str {
        self.rest
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    pub(super) fn take(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.skip(next.len_utf8());
        Some(next)
    }

    pub(super) fn take_if(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Copies a character, or everything in braces if `{` comes next.
    pub(super) fn copy_braced(&mut self, out: &mut String) -> Result<(), String> {
        let length = if self.rest.starts_with('{') {
            self.rest.find('}').ok_or("a `{` lacks its closing `}`")? + 1
        } else {
            self.rest.chars().next().map_or(0, char::len_utf8)
        };
        out.push_str(&self.rest[..length]);
        self.skip(length);
        Ok(())
    }

    /// The character that an escape stands for; its letter is already taken. `None` if it stands
    /// for none.
    pub(super) fn character_escape(&mut self, kind: char) -> Result<Option<char>, String> {
        Ok(Some(match kind {
            'a' => '\x07',
            'f' => '\x0c',
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'v' => '\x0b',
            'x' => self.hexadecimal()?,
            '0'..='7' => self.octal(kind)?,
            '8' | '9' | 'k' | 'g' => return Err("back-references are unsupported".to_owned()),
            other if other.is_ascii() && !other.is_ascii_alphanumeric() => other,
            _ => return Ok(None),
        }))
    }

    fn hexadecimal(&mut self) -> Result<char, String> {
        let digits = match self.rest.strip_prefix('{') {
            Some(rest) => rest.split_once('}').map(|(digits, _)| digits),
            None => self.rest.get(..2),
        };
        let digits = digits.ok_or("`\\x` needs two hexadecimal digits, or some in braces")?;
        self.skip(digits.len() + if self.rest.starts_with('{') { 2 } else { 0 });
        u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| format!("`\\x{{{digits}}}` is not a character"))
    }

    /// Up to three octal digits. A single one other than 0 would be a back-reference.
    fn octal(&mut self, first: char) -> Result<char, String> {
        let more = self
            .rest
            .bytes()
            .take(2)
            .take_while(|b| (b'0'..=b'7').contains(b))
            .count();
        if more == 0 && first != '0' {
            return Err("back-references are unsupported".to_owned());
        }
        let digits = format!("{first}{}", &self.rest[..more]);
        self.skip(more);
        u32::from_str_radix(&digits, 8)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| format!("`\\{digits}` is not a character"))
    }
}
