//! `url_scope`: patterns, headers, the proxy.

use super::complaint::Complaint;
use super::host_pattern;
use crate::config::key_path::KeyPath;
use crate::config::redact;
use crate::config::schema::UrlScopeConfig;

/// Names that the transport sets, or that end at the next hop.
const RESERVED: &[&str] = &[
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

pub(super) fn check(scope: &UrlScopeConfig, found: &mut Vec<Complaint>) {
    for (key, patterns) in [("url_scope.allow", &scope.allow), ("url_scope.deny", &scope.deny)] {
        for (index, pattern) in patterns.iter().enumerate() {
            if let Err(reason) = host_pattern::check(pattern) {
                let text = format!("the pattern {pattern:?} cannot be used: {reason}");
                found.push(Complaint::error(KeyPath::of(key).index(index), text));
            }
        }
    }
    for (pattern, headers) in &scope.headers {
        let place = KeyPath::of("url_scope.headers").key(pattern);
        if let Err(reason) = host_pattern::check(pattern) {
            found.push(Complaint::error(
                place.clone(),
                format!("the pattern {pattern:?} cannot be used: {reason}"),
            ));
        }
        for (name, value) in headers {
            header(place.key(name), name, value, found);
        }
    }
    if let Err(reason) = proxy(&scope.proxy) {
        found.push(Complaint::error(KeyPath::of("url_scope.proxy"), reason));
    }
}

fn header(place: KeyPath, name: &str, value: &str, found: &mut Vec<Complaint>) {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(token) {
        found.push(Complaint::error(place, format!("{name:?} is no header name")));
    } else if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        found.push(Complaint::error(
            place,
            format!("the header {name:?} is set by the transport and cannot be given"),
        ));
    } else if value.chars().any(char::is_control) {
        found.push(Complaint::error(
            place,
            "the value contains a control character".to_owned(),
        ));
    } else if redact::is_literal_secret(name, value) {
        let text = "the value stands in the file itself; keep it in an environment variable and write $NAME here";
        found.push(Complaint::remark(place, text));
    }
}

/// Empty, `env`, or an absolute URL with a host.
fn proxy(proxy: &str) -> Result<(), String> {
    if matches!(proxy, "" | "env") {
        return Ok(());
    }
    let fail = |reason: &str| {
        let shown = redact::without_user(proxy);
        Err(format!(
            "{shown:?} cannot be used: {reason}; leave it empty, or write env or a URL like http://proxy:3128"
        ))
    };
    let Some((scheme, rest)) = proxy.split_once("://") else {
        return fail("it has no scheme");
    };
    if !["http", "https", "socks5"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
    {
        return fail("the scheme is not http, https or socks5");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.is_empty() || host.starts_with(':') || host.chars().any(|char| char.is_whitespace() || char.is_control()) {
        return fail("it has no host");
    }
    Ok(())
}
