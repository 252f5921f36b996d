//! Finds secrets by the name in front of them.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr2_iter, memmem};

use super::names::{is_secret, is_secret_parameter};
use super::value::{self, Reach};

/// `Bearer` or `bearer`, with the space after it.
static BEARER: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"earer "));
/// Longest name that is looked at, in bytes.
const MAX_NAME: usize = 64;

/// Values after `name=` and `name:`, and the user part of URLs.
pub(super) fn named(text: &str, spans: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    // What lies in a value that is hidden already needs no look: so a text is read once.
    let mut hidden = 0;
    for at in memchr2_iter(b':', b'=', bytes) {
        if at < hidden {
            continue;
        }
        if bytes[at..].starts_with(b"://") {
            spans.extend(user_part(bytes, at + 3));
            continue;
        }
        // A URL that was taken for a path has lost a slash.
        if bytes[at..].starts_with(b":/") {
            spans.extend(user_part(bytes, at + 2));
        }
        let Some((name, before)) = name_before(bytes, at) else {
            continue;
        };
        let name = decoded(name);
        let secret = match before {
            Some(b'?' | b'&') => is_secret_parameter(&name),
            _ => is_secret(&name),
        };
        let reach = if bytes[at] == b':' { Reach::Line } else { Reach::Word };
        if secret && let Some(span) = value::after(text, at + 1, reach) {
            hidden = span.end;
            spans.push(span);
        }
    }
}

/// Values after `--name` and, where they hold a colon, after `-u` and `--user`.
pub(super) fn options(text: &str, spans: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut hidden = 0;
    for at in memchr::memchr_iter(b'-', bytes) {
        if at < hidden || (at > 0 && !bytes[at - 1].is_ascii_whitespace()) {
            continue;
        }
        let length = bytes[at..]
            .iter()
            .take(MAX_NAME)
            .take_while(|byte| is_name(**byte))
            .count();
        let name = &text[at..at + length];
        let user = matches!(name, "-u" | "--user");
        if bytes.get(at + length) != Some(&b' ') || !(user || (name.starts_with("--") && is_secret(name))) {
            continue;
        }
        let Some(span) = value::after(text, at + length, Reach::Word) else {
            continue;
        };
        hidden = span.end;
        if !user || text[span.clone()].contains(':') {
            spans.push(span);
        }
    }
    for at in BEARER.find_iter(bytes) {
        let start = at + 6;
        if start >= hidden && at > 0 && matches!(bytes[at - 1], b'b' | b'B') {
            let length = value::word(&bytes[start..]);
            hidden = start + length;
            spans.extend((length > 0).then_some(start..hidden));
        }
    }
}

/// The user part of the URL whose authority begins here.
fn user_part(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = &bytes[start..];
    let length = rest
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>'))
        .unwrap_or(rest.len());
    let end = memchr::memrchr(b'@', &rest[..length])?;
    (end > 0).then_some(start..start + end)
}

/// The name in front of a separator, and the byte before it. A quote and spaces may lie between.
fn name_before(bytes: &[u8], separator: usize) -> Option<(&[u8], Option<u8>)> {
    let mut end = separator;
    for skipped in [b' ', b'"', b'\'', b'\\'] {
        if end > 0 && bytes[end - 1] == skipped {
            end -= 1;
        }
    }
    let length = bytes[..end]
        .iter()
        .rev()
        .take(MAX_NAME)
        .take_while(|byte| is_name(**byte))
        .count();
    let start = end - length;
    (length > 0).then(|| (&bytes[start..end], start.checked_sub(1).map(|before| bytes[before])))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'%' | b'[' | b']')
}

/// The name with `%74` read as `t`.
fn decoded(name: &[u8]) -> Cow<'_, str> {
    if !name.contains(&b'%') {
        return String::from_utf8_lossy(name);
    }
    let mut plain = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(code) if byte == b'%' => {
                plain.push(code);
                rest = &after[2..];
            }
            _ => {
                plain.push(byte);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&plain).into_owned())
}
