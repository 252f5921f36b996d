//! Finds tokens by the prefixes that their issuers give them.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

/// Prefixes of tokens of widespread services, and of JSON Web Tokens.
const PREFIXES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "sk-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "-----BEGIN ",
];
/// Each of the prefixes holds one of these.
pub(super) const SIGNS: &[u8] = b"_-AJ";
/// Bytes after the prefix from which on it is taken for a token.
pub(super) const LEAST: usize = 16;

/// All prefixes at once: one pass over the text. `None` is never seen, since none of them is special.
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&PREFIXES.join("|")).ok());

pub(super) fn find(text: &str, spans: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut hidden = 0;
    for found in ANY.iter().flat_map(|any| any.find_iter(bytes)) {
        let (start, end) = (found.start(), found.end());
        let title = bytes[start] == b'-';
        let inside = start > 0 && is_token(bytes[start - 1]);
        if start < hidden || (inside && !title) {
            continue;
        }
        let rest = &bytes[end..];
        let length = if title {
            private_key(rest)
        } else {
            rest.iter().position(|byte| !is_token(*byte)).unwrap_or(rest.len())
        };
        if length >= LEAST {
            hidden = end + length;
            spans.push(start..hidden);
        }
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Bytes to the end of the private key whose title begins here; 0 for anything public.
fn private_key(rest: &[u8]) -> usize {
    let title = &rest[..rest.len().min(40)];
    if memmem::find(title, b"PRIVATE KEY").is_none() {
        return 0;
    }
    match memmem::find(rest, b"-----END ") {
        Some(end) => end,
        None => rest.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_has_its_sign() {
        for prefix in PREFIXES {
            assert!(prefix.bytes().any(|byte| SIGNS.contains(&byte)), "{prefix}");
        }
    }
}
