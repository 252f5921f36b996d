//! A URL as it is written, before a parser repairs it: what would be repaired is refused.

use super::host::{Host, HostError};
use super::url_error::{MAX_URL, Shown, UrlError};
use super::web_url::Scheme;

/// The parts of a URL before its path, as written.
pub(super) struct Written<'a> {
    pub(super) host: &'a str,
    /// The host for messages.
    pub(super) shown: Shown,
}

/// Refuses what parsers skip or cut at, and what is too long for a URL.
pub(super) fn check_text(text: &str) -> Result<(), UrlError> {
    if text.len() > MAX_URL {
        return Err(UrlError::TooLong);
    }
    let blank = |(_, char): &(usize, char)| char.is_ascii_whitespace() || char.is_ascii_control();
    match text.char_indices().find(blank) {
        Some((at, character)) => Err(UrlError::Blank { character, at }),
        None => Ok(()),
    }
}

/// The scheme in front and what follows its colon, if the text has that form.
pub(super) fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let legal = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
    (scheme.starts_with(|char: char| char.is_ascii_alphabetic()) && scheme.chars().all(legal)).then_some((scheme, rest))
}

impl<'a> Written<'a> {
    /// Takes an absolute http or https URL apart, whose text has been checked.
    pub(super) fn read(text: &'a str) -> Result<Self, UrlError> {
        let (scheme, rest) = scheme(text).ok_or(UrlError::NoScheme)?;
        if Scheme::of(scheme).is_none() {
            // Before "//" a scheme is one; elsewhere it could be a user's name.
            let whole = if rest.starts_with("//") { scheme } else { text };
            return Err(UrlError::Scheme(Shown::of(scheme, whole)));
        }
        if rest.starts_with('\\') || rest.starts_with("/\\") {
            return Err(UrlError::Backslash);
        }
        let rest = rest.strip_prefix("//").ok_or(UrlError::NoHost)?;
        let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        if authority.contains('\\') {
            return Err(UrlError::Backslash);
        }
        if authority.contains('@') {
            return Err(UrlError::Credentials);
        }
        let (host, port) = split(authority).ok_or_else(|| HostError::V6(Shown::of(authority, text)))?;
        if host.is_empty() {
            return Err(UrlError::NoHost);
        }
        let shown = Shown::of(host, text);
        Host::check_percent(host, &shown)?;
        if !port.is_empty() && port_number(port).is_none() {
            return Err(UrlError::Port(Shown::of(port, text)));
        }
        Ok(Self { host, shown })
    }
}

/// Host, and port or nothing; `None` where brackets or colons stand for no IPv6 address.
fn split(authority: &str) -> Option<(&str, &str)> {
    if authority.starts_with('[') {
        let end = authority.find(']')? + 1;
        let (host, rest) = authority.split_at(end);
        return match rest {
            "" => Some((host, "")),
            _ => Some((host, rest.strip_prefix(':')?)),
        };
    }
    match authority.split_once(':') {
        None => Some((authority, "")),
        Some((_, port)) if port.contains(':') => None,
        Some(parts) => Some(parts),
    }
}

/// A decimal number from 1 to 65535.
pub(super) fn port_number(text: &str) -> Option<u16> {
    let decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    decimal
        .then(|| text.parse().ok())
        .flatten()
        .filter(|number| *number > 0)
}
