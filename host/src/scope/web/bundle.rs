//! One header bundle: what goes along with requests to the hosts of one pattern.

use super::pattern::Pattern;
use super::template::Template;
use super::web_url::{Scheme, WebUrl};

/// The key that opens plain http for a bundle.
pub(super) const OVER_HTTP: &str = "url_scope.headers_over_http";

/// The headers for the hosts of one pattern.
#[derive(Debug, Clone)]
pub struct Bundle {
    pub(super) pattern: Pattern,
    pub(super) headers: Vec<(String, Template)>,
    /// Whether the operator lets it go over plain http.
    pub(super) over_http: bool,
}

impl Bundle {
    /// The pattern that the bundle stands under.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Whether the bundle is meant for the URL's host and port.
    pub(super) fn is_for(&self, url: &WebUrl) -> bool {
        self.pattern.matches_host(url) && self.pattern.matches_port(url)
    }

    /// The headers of one request, with variables filled in by `environment`.
    /// Values are secrets; no error holds one.
    ///
    /// # Errors
    /// Why nothing may be sent: plain http, a variable that is unset or empty,
    /// or a value that is no legal one of a header (RFC 9110, 5.5).
    pub fn expand(
        &self,
        url: &WebUrl,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Vec<(String, String)>, String> {
        let pattern = &self.pattern.text;
        if url.scheme() == Scheme::Http && !self.over_http {
            return Err(format!(
                "the headers of url_scope.headers for {pattern:?} are not sent over plain http to {}; use https, or \
                 add {pattern:?} to {OVER_HTTP}",
                url.place()
            ));
        }
        let fill = |(name, template): &(String, Template)| {
            let value = template.expand(environment).map_err(|variable| {
                format!(
                    "the header {name:?} of url_scope.headers for {pattern:?} needs the environment \
                     variable {variable}, which is unset or empty; nothing was sent"
                )
            })?;
            if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
                return Err(format!(
                    "the value of the header {name:?} of url_scope.headers for {pattern:?} has a line break, \
                     a control character or one outside of ASCII; nothing was sent"
                ));
            }
            Ok((name.clone(), value))
        };
        self.headers.iter().map(fill).collect()
    }
}
