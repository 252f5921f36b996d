//! Why a text is not taken as a URL.

use std::fmt;

use super::host::HostError;

/// Longest URL that is read or made, in bytes.
pub(super) const MAX_URL: usize = 8 * 1024;

/// A text that is not taken as a URL. No message holds credentials, a path or a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// There is no text.
    #[error("the URL is empty; write one like https://host/path")]
    Empty,
    /// The text, or what it normalises to, is too long.
    #[error("the URL is longer than {MAX_URL} bytes; shorten it")]
    TooLong,
    /// A blank or control character, which parsers drop or cut at, each in its own way.
    #[error("the URL contains {character:?} at byte {at}; write blanks as %20 and leave control characters out")]
    Blank {
        /// The character.
        character: char,
        /// Where it is, in bytes from the start.
        at: usize,
    },
    /// No scheme in front.
    #[error("the URL has no scheme; write it in full, as in https://host/path")]
    NoScheme,
    /// A scheme that cannot be fetched.
    #[error("the scheme {0} cannot be fetched; use https or http, as in https://host/path")]
    Scheme(Shown),
    /// No `//` and host after the scheme.
    #[error("the URL names no host; two slashes and the host must follow the scheme, as in https://host/path")]
    NoHost,
    /// A backslash before or in the host.
    #[error("the URL has a backslash before its path, which parsers read in different ways; write /")]
    Backslash,
    /// A user, a password, or the `@` that ends them.
    #[error("the URL has credentials before its host (an @); leave them out: only the operator's headers are sent")]
    Credentials,
    /// A port that is no number from 1 to 65535.
    #[error("the port {0} is no number from 1 to 65535")]
    Port(Shown),
    /// A host that cannot be used.
    #[error(transparent)]
    Host(#[from] HostError),
    /// Anything else that the parser refuses.
    #[error("the URL cannot be read: {0}")]
    Unreadable(url::ParseError),
}

/// A part of what was given, for a message: quoted, cut, and left out where it
/// could be a part of credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown(Option<String>);

impl Shown {
    /// Most characters of a part that are shown.
    const MAX: usize = 80;

    pub(super) fn of(part: &str, whole: &str) -> Self {
        let secret = whole.contains(['@', '\u{ff20}']) || whole.contains("%40");
        let cut = part.char_indices().nth(Self::MAX).map_or(part.len(), |(at, _)| at);
        Self((!secret).then(|| part[..cut].to_owned()))
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(part) => write!(f, "{part:?}"),
            None => f.write_str("(not shown, as an @ follows)"),
        }
    }
}
