//! Header bundles: `url_scope.headers`, of which at most one goes along with a request.

use std::collections::BTreeMap;

use super::bundle::{Bundle, OVER_HTTP};
use super::pattern::Pattern;
use super::template::Template;
use super::url_error::Shown;
use super::web_url::WebUrl;

/// All header bundles.
#[derive(Debug, Clone, Default)]
pub struct Bundles(Vec<Bundle>);

/// A bundle, or a part of one, that cannot be used. It holds no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {reason}")]
pub struct BundleError {
    /// The place: `url_scope.headers."x.org".Accept`.
    pub key: String,
    /// What is wrong there, and what would work.
    pub reason: String,
}

impl Bundles {
    /// Reads the bundles: headers by host pattern and name. `over_http` lists
    /// the patterns whose headers may go over plain http; `reserved` tells
    /// which names the transport keeps for itself.
    ///
    /// # Errors
    /// The first part that cannot be used.
    pub fn new(
        headers: &BTreeMap<String, BTreeMap<String, String>>,
        over_http: &[String],
        reserved: &dyn Fn(&str) -> bool,
    ) -> Result<Self, BundleError> {
        let mut all: Vec<Bundle> = Vec::new();
        for (text, headers) in headers {
            let key = format!("url_scope.headers.{}", step(text));
            let pattern = read(&key, text)?;
            if let Some(same) = all.iter().find(|bundle| is_same(&bundle.pattern, &pattern)) {
                let reason = format!(
                    "it means the same hosts as {:?}; put all headers under one of them",
                    same.pattern.text
                );
                return Err(error(&key, text, reason));
            }
            all.push(Bundle {
                headers: self::headers(&key, headers, reserved)?,
                pattern,
                over_http: false,
            });
        }
        for (index, text) in over_http.iter().enumerate() {
            let key = format!("{OVER_HTTP}[{index}]");
            let pattern = read(&key, text)?;
            match all.iter_mut().find(|bundle| is_same(&bundle.pattern, &pattern)) {
                Some(bundle) => bundle.over_http = true,
                None => {
                    let known: Vec<String> = all.iter().map(|bundle| format!("{:?}", bundle.pattern.text)).collect();
                    let reason = match known.is_empty() {
                        true => "url_scope.headers is empty, so there is nothing to send".to_owned(),
                        false => format!("it is no key of url_scope.headers, which has {}", known.join(", ")),
                    };
                    return Err(error(&key, text, reason));
                }
            }
        }
        Ok(Self(all))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bundle for a URL: an exact host before wildcards, a longer wildcard
    /// before a shorter one; bundles are never merged.
    pub fn choose(&self, url: &WebUrl) -> Option<&Bundle> {
        let matching = self.0.iter().filter(|bundle| bundle.is_for(url));
        matching.max_by_key(|bundle| bundle.pattern.specificity())
    }

    /// Whether any bundle sets a header of this name, so that it must not
    /// survive a redirect.
    pub fn sets(&self, name: &str) -> bool {
        let mut names = self.0.iter().flat_map(|bundle| &bundle.headers);
        names.any(|(own, _)| own.eq_ignore_ascii_case(name))
    }
}

/// A pattern as bundles have it: credentials are for hosts, whatever the scheme.
fn read(key: &str, text: &str) -> Result<Pattern, BundleError> {
    let pattern = Pattern::parse(text).map_err(|reason| error(key, text, reason))?;
    if pattern.scheme().is_some() {
        let reason = format!(
            "header patterns have no scheme; leave it out, and list the pattern in {OVER_HTTP} to send \
             the headers over http, too"
        );
        return Err(error(key, text, reason));
    }
    if !pattern.pins().is_empty() {
        return Err(error(
            key,
            text,
            "addresses are pinned in url_scope.allow only; leave out the = and what follows",
        ));
    }
    Ok(pattern)
}

fn headers(
    key: &str,
    headers: &BTreeMap<String, String>,
    reserved: &dyn Fn(&str) -> bool,
) -> Result<Vec<(String, Template)>, BundleError> {
    let mut read: Vec<(String, Template)> = Vec::new();
    for (name, value) in headers {
        let fail = |reason: String| BundleError {
            key: format!("{key}.{}", step(name)),
            reason,
        };
        // RFC 9110, 5.6.2: the characters of a token.
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(token) {
            return Err(fail(format!(
                "{name:?} is no header name; it has letters, digits and -"
            )));
        }
        if reserved(name) {
            return Err(fail(format!(
                "the header {name:?} is set by the transport and cannot be given"
            )));
        }
        if read.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
            return Err(fail(format!(
                "the header {name:?} is given twice; case makes no difference"
            )));
        }
        if value.chars().any(char::is_control) {
            return Err(fail("the value contains a control character".to_owned()));
        }
        let template = Template::parse(value).map_err(|reason| fail(format!("in the value, {reason}")))?;
        read.push((name.clone(), template));
    }
    Ok(read)
}

/// Whether two patterns match the same URLs.
fn is_same(a: &Pattern, b: &Pattern) -> bool {
    a.host == b.host && a.port == b.port
}

fn error(key: &str, pattern: &str, reason: impl std::fmt::Display) -> BundleError {
    BundleError {
        key: key.to_owned(),
        reason: format!("the pattern {} cannot be used: {reason}", Shown::of(pattern, pattern)),
    }
}

/// A key as it is written in a path of keys: quoted unless it is a plain word.
fn step(key: &str) -> String {
    let bare = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    match !key.is_empty() && key.chars().all(bare) {
        true => key.to_owned(),
        false => format!("{key:?}"),
    }
}
