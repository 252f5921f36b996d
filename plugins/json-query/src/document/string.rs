//! Strings: where they end, and what their escape sequences mean.

/// How a string ends.
pub(super) enum End {
    /// At this quote, without escape sequences before it.
    Plain(usize),
    /// At this quote, with some.
    Escaped(usize),
    /// Not before a character that must not stand in a string.
    Control(usize),
    /// Not at all.
    Missing,
}

/// Looks for the end of the string whose content begins at `start`.
pub(super) fn end(bytes: &[u8], start: usize) -> End {
    let mut escaped = false;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' if escaped => return End::Escaped(at),
            b'"' => return End::Plain(at),
            b'\\' => {
                escaped = true;
                at += 2;
            }
            0..=0x1f => return End::Control(at),
            _ => at += 1,
        }
    }
    End::Missing
}

/// Replaces the escape sequences; an error says at which byte, and what is wrong.
pub(super) fn decode(text: &str) -> Result<String, (usize, String)> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        decoded.push_str(&rest[..at]);
        let offset = text.len() - rest.len() + at;
        let sequence = &rest[at + 1..];
        let (c, length) = escape(sequence).map_err(|message| (offset, message))?;
        decoded.push(c);
        rest = &sequence[length..];
    }
    decoded.push_str(rest);
    Ok(decoded)
}

/// The character of a sequence without its backslash, and the length of the sequence.
fn escape(sequence: &str) -> Result<(char, usize), String> {
    let c = match sequence.chars().next() {
        Some(c @ ('"' | '\\' | '/')) => c,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unicode(sequence),
        other => {
            return Err(format!(
                "`\\{}` is no escape sequence",
                other.map_or(String::new(), String::from)
            ));
        }
    };
    Ok((c, 1))
}

/// `uXXXX`, or the two of them that make a character beyond U+FFFF. A half of such a pair becomes
/// U+FFFD.
fn unicode(sequence: &str) -> Result<(char, usize), String> {
    const LENGTH: usize = "uXXXX".len();
    let unit = |sequence: &str| {
        let digits = sequence.strip_prefix('u')?.get(..4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    let first = unit(sequence).ok_or("`\\u` needs four hexadecimal digits")?;
    if let 0xd800..0xdc00 = first
        && let Some(second @ 0xdc00..0xe000) = sequence[LENGTH..].strip_prefix('\\').and_then(unit)
    {
        let c = char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        return Ok((c.unwrap_or(char::REPLACEMENT_CHARACTER), 2 * LENGTH + 1));
    }
    Ok((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), LENGTH))
}
