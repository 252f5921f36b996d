//! Where a response sends its reader, and whether that may be followed.

use http::header::LOCATION;
use http::response::Parts;

use crate::scope::web::{UrlScope, WebUrl};

/// Redirects of one request that are followed, and of one call that a plugin may go on to.
pub(super) const MOST: usize = 5;

/// The target of a redirect, as it is written; nothing for other responses.
pub(super) fn location(head: &Parts) -> Option<String> {
    if !matches!(head.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = head.headers.get(LOCATION)?;
    Some(String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// Whether a redirect keeps to https, or leads to where an entry admits plain http.
pub(super) fn keeps_tls(scope: &UrlScope, from: &WebUrl, to: &WebUrl) -> bool {
    to.is_https() || !from.is_https() || scope.admits_plain_http(to)
}
