//! `url_scope` and `tools.network`: patterns, headers, the proxy.

use super::complaint::Complaint;
use crate::config::key_path::KeyPath;
use crate::config::redact;
use crate::config::schema::{Config, UrlScopeConfig};
use crate::scope::web::Pattern;

pub(super) fn check(config: &Config, found: &mut Vec<Complaint>) {
    let scope = &config.url_scope;
    let before = found.len();
    list(&KeyPath::of("url_scope.allow"), &scope.allow, found);
    list(&KeyPath::of("url_scope.deny"), &scope.deny, found);
    if found.len() == before {
        whole(scope, found);
    }
    for (tool, patterns) in &config.tools.network {
        let place = KeyPath::of("tools.network").key(tool);
        list(&place, patterns, found);
        pins(&place, patterns, found);
    }
    for (pattern, headers) in &scope.headers {
        let place = KeyPath::of("url_scope.headers").key(pattern);
        for (name, value) in headers {
            if redact::is_literal_secret(name, value) {
                let text =
                    "the value stands in the file itself; keep it in an environment variable and write $NAME here";
                found.push(Complaint::remark(place.key(name), text));
            }
        }
    }
    if let Err(error) = scope.bundles() {
        found.push(Complaint::error(place_of(&error.key, scope), error.reason));
    }
    for (index, entry) in scope.headers_over_http.iter().enumerate() {
        if !scope.headers.contains_key(entry) {
            let text = format!("{entry:?} is no pattern of url_scope.headers, so it permits nothing");
            found.push(Complaint::remark(
                KeyPath::of("url_scope.headers_over_http").index(index),
                text,
            ));
        }
    }
    if let Err((index, reason)) = scope.servers() {
        found.push(Complaint::error(
            KeyPath::of("url_scope.nameservers").index(index),
            reason,
        ));
    }
    if let Err(error) = scope.nat64() {
        found.push(Complaint::error(
            KeyPath::of("url_scope.nat64_prefix"),
            error.to_string(),
        ));
    }
    if let Err(reason) = proxy(&scope.proxy) {
        found.push(Complaint::error(KeyPath::of("url_scope.proxy"), reason));
    }
}

/// The place of a bundle's error, which is written like a path.
fn place_of(key: &str, scope: &UrlScopeConfig) -> KeyPath {
    let headers = KeyPath::of("url_scope.headers");
    let mut names = scope.headers.iter().flat_map(|(pattern, names)| {
        let place = headers.key(pattern);
        let inner: Vec<_> = names.keys().map(|name| place.key(name)).collect();
        inner.into_iter().chain([place])
    });
    names.find(|place| place.to_string() == key).unwrap_or(headers)
}

fn list(place: &KeyPath, patterns: &[String], found: &mut Vec<Complaint>) {
    for (index, text) in patterns.iter().enumerate() {
        if let Err(error) = Pattern::parse(text) {
            let shown = redact::without_user(text);
            let text = format!("the pattern {shown:?} cannot be used: {error}");
            found.push(Complaint::error(place.index(index), text));
        }
    }
}

/// What only the two lists together show, and what looks like a mistake in them.
fn whole(config: &UrlScopeConfig, found: &mut Vec<Complaint>) {
    let entry = |key: &str| {
        let lists = [("url_scope.allow", &config.allow), ("url_scope.deny", &config.deny)];
        let places = lists
            .into_iter()
            .flat_map(|(name, list)| (0..list.len()).map(move |index| KeyPath::of(name).index(index)));
        let found = places.into_iter().find(|place| place.to_string() == key);
        found.unwrap_or_else(|| KeyPath::of("url_scope"))
    };
    match config.scope() {
        Ok(scope) => found.extend(
            scope
                .remarks()
                .into_iter()
                .map(|(key, text)| Complaint::remark(entry(&key), text)),
        ),
        Err(error) => found.push(Complaint::error(entry(&error.key), error.reason)),
    }
}

/// Addresses belong to what is admitted for everybody.
fn pins(place: &KeyPath, patterns: &[String], found: &mut Vec<Complaint>) {
    for (index, text) in patterns.iter().enumerate() {
        if Pattern::parse(text).is_ok_and(|pattern| !pattern.pins().is_empty()) {
            let text = format!("the pattern {text:?} names addresses, which only url_scope.allow can");
            found.push(Complaint::error(place.index(index), text));
        }
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
