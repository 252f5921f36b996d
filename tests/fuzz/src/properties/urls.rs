//! URLs, patterns and addresses: `URL ␟ location ␟ address ␟ pattern ␟ pattern …`; a pattern with `-` in front is denied.

use std::net::IpAddr;

use toolgate::scope::web::{Host, Options, Pattern, Tier, UrlScope, WebUrl, tier};

use super::SEPARATOR;
use super::pace::bounded;

/// Checks one input.
pub(crate) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut parts = text.split(SEPARATOR);
    let (url, location, address) = (parts.next(), parts.next(), parts.next());
    let patterns: Vec<&str> = parts.collect();
    bounded("a URL", text.len(), || {
        let url = url.and_then(|text| WebUrl::parse(text).ok().inspect(|url| sound(text, url)));
        let Some(url) = url else { return };
        if let Some(location) = location
            && let Ok(target) = url.join(location)
        {
            settled(&target);
        }
        scoped(&url, address.and_then(|text| text.parse().ok()), &patterns);
    });
}

/// What was accepted is what a browser would go to, and stands for itself.
fn sound(text: &str, url: &WebUrl) {
    settled(url);
    assert!(
        !text
            .chars()
            .any(|char| char.is_ascii_whitespace() || char.is_ascii_control()),
        "{text:?} was accepted"
    );
    assert!(
        text.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http")),
        "{text:?} was accepted"
    );
    let authority = text.split_once("//").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    assert!(!authority.contains(['@', '\\', '%']), "{text:?} was accepted");
}

/// Read again, it is the same.
fn settled(url: &WebUrl) {
    let again = WebUrl::parse(url.as_str());
    assert_eq!(again.as_ref(), Ok(url), "{url} is another URL when it is read again");
    assert_eq!(url.as_str(), url.url().as_str());
    assert!(url.url().username().is_empty() && url.url().password().is_none() && url.url().fragment().is_none());
    assert_ne!(url.port(), 0, "{url}");
    if let Host::Name(name) = url.host() {
        assert!(name.split('.').all(|label| !label.is_empty()), "{url}");
        assert!(name.parse::<IpAddr>().is_err(), "{url}");
    }
}

/// Allowing more never refuses, denying more never lets pass, and an address
/// that is never dialled is refused whatever the entries say.
fn scoped(url: &WebUrl, address: Option<IpAddr>, patterns: &[&str]) {
    let sound = |text: &&&str| Pattern::parse(text.strip_prefix('-').unwrap_or(text)).is_ok();
    let (denied, allowed): (Vec<&str>, Vec<&str>) =
        patterns.iter().filter(sound).partition(|text| text.starts_with('-'));
    let owned = |list: &[&str]| -> Vec<String> {
        let plain = list.iter().map(|text| text.strip_prefix('-').unwrap_or(text));
        plain.map(str::to_owned).collect()
    };
    let (allowed, denied) = (owned(&allowed), owned(&denied));
    let scope = |allow: &[String], deny: &[String]| UrlScope::new(allow, deny, Options::default()).ok();
    let Some(whole) = scope(&allowed, &denied) else { return };
    if let Some(fewer) = scope(&allowed, &[])
        && whole.judge(url).is_ok()
    {
        assert!(
            fewer.judge(url).is_ok(),
            "{url}: a deny entry of {denied:?} lets it pass"
        );
    }
    if let Some((_, rest)) = allowed.split_last()
        && let Some(fewer) = scope(rest, &denied)
        && fewer.judge(url).is_ok()
    {
        assert!(
            whole.judge(url).is_ok(),
            "{url}: an allow entry of {allowed:?} refuses it"
        );
    }
    if let Some(address) = address {
        let passes = whole.vet(url, &[address]).is_ok();
        match tier(address, None) {
            Tier::Never | Tier::Metadata => assert!(!passes, "{url} at {address}"),
            Tier::Private => {
                let exact = allowed.iter().filter_map(|text| Pattern::parse(text).ok());
                let exact = exact.into_iter().any(|pattern| pattern.matches_exact_host_port(url));
                assert!(exact || !passes, "{url} at {address} without an entry for exactly it");
            }
            Tier::Public => {}
        }
    }
}
