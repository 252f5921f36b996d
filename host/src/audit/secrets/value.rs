//! Where a value ends.

use std::ops::Range;

use memchr::{memchr3, memmem};

/// How far a value without quotes reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// To a space, a quote or `&`.
    Word,
    /// To the end of the line or a quote: the value of a header.
    Line,
}

/// The value that begins at or after `from`, without its quotes. `None` if it is empty.
pub(super) fn after(text: &str, from: usize, reach: Reach) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = from;
    while matches!(bytes.get(start), Some(b' ' | b'\t' | b'=' | b'>')) {
        start += 1;
    }
    let rest = bytes.get(start..)?;
    let (start, length) = match rest {
        [b'\\', b'"', rest @ ..] => (start + 2, memmem::find(rest, b"\\\"").unwrap_or(rest.len())),
        [quote @ (b'"' | b'\'' | b'`'), rest @ ..] => (start + 1, quoted(rest, *quote)),
        [b'[' | b'{', ..] => (start, bracketed(rest)),
        _ => (start, bare(rest, reach)),
    };
    (length > 0).then_some(start..start + length)
}

fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    // A backslash in front of a longer character, or at the very end, may have led past the end.
    at.min(bytes.len())
}

fn bracketed(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    bytes.len()
}

fn bare(bytes: &[u8], reach: Reach) -> usize {
    let quote = |part: &[u8]| memchr3(b'"', b'\'', b'`', part).unwrap_or(part.len());
    if reach == Reach::Line {
        let line = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len());
        return quote(&bytes[..line]);
    }
    let word = word(bytes);
    let scheme = &bytes[..word];
    let is_scheme = ["bearer", "basic", "token", "digest"]
        .iter()
        .any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()));
    if is_scheme && bytes.get(word) == Some(&b' ') {
        return word + 1 + self::word(&bytes[word + 1..]);
    }
    word
}

/// Bytes up to a space, a quote or `&`.
pub(super) fn word(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'&'))
        .unwrap_or(bytes.len())
}
