//! The grammar of `url_scope.allow` and `url_scope.deny`: `[scheme://]host[:port]` (D-22).

use std::net::Ipv6Addr;

/// Whether a pattern can ever match, and only what it reads as.
///
/// # Errors
/// What is wrong with it, without the pattern.
pub(super) fn check(pattern: &str) -> Result<(), String> {
    let text = pattern.trim();
    let rest = match text.split_once("://") {
        None => text,
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") => rest,
        Some((scheme, _)) => return Err(format!("the scheme {scheme:?} is not known; use https or http")),
    };
    if rest.chars().any(|char| char.is_whitespace() || char.is_control()) {
        return Err("it contains a blank or a control character".to_owned());
    }
    if let Some(found) = rest
        .chars()
        .find(|char| matches!(char, '/' | '?' | '#' | '@' | '\\' | '%'))
    {
        return Err(format!(
            "it contains {found:?}; a pattern names a host and a port, no path and no user"
        ));
    }
    let (host, port) = split(rest)?;
    if let Some(port) = port
        && port != "*"
        && !port.parse::<u16>().is_ok_and(|number| number > 0)
    {
        return Err(format!("the port {port:?} is not a number from 1 to 65535, nor *"));
    }
    host_name(host)
}

/// Host and port; an address of version 6 stands in brackets.
fn split(rest: &str) -> Result<(&str, Option<&str>), String> {
    if let Some(inner) = rest.strip_prefix('[') {
        let (address, after) = inner.split_once(']').ok_or("the bracket is not closed")?;
        if address.parse::<Ipv6Addr>().is_err() {
            return Err(format!("{address:?} is no address of IP version 6"));
        }
        return match after.strip_prefix(':') {
            Some(port) => Ok(("*", Some(port))),
            None if after.is_empty() => Ok(("*", None)),
            None => Err(format!("{after:?} follows the bracket; a port is written as :443")),
        };
    }
    match rest.matches(':').count() {
        0 => Ok((rest, None)),
        1 => Ok(rest
            .split_once(':')
            .map_or((rest, None), |(host, port)| (host, Some(port)))),
        _ => Err("it has several colons; write an address of IP version 6 in brackets".to_owned()),
    }
}

fn host_name(host: &str) -> Result<(), String> {
    if host == "*" {
        return Ok(());
    }
    // A leading dot is another spelling of a leading *.
    let name = host
        .strip_prefix("*.")
        .or_else(|| host.strip_prefix('.'))
        .unwrap_or(host);
    if name.contains('*') {
        return Err("a * may stand for the whole host or for its first part only, as in *.example.com".to_owned());
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return Err("the host, or a part of it between dots, is empty".to_owned());
    }
    if let Some(found) = name
        .chars()
        .find(|char| char.is_ascii() && !(char.is_ascii_alphanumeric() || "-_.".contains(*char)))
    {
        return Err(format!("the host contains {found:?}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn patterns_name_hosts_and_ports() {
        for good in [
            "github.com",
            "HTTPS://github.com",
            "http://x",
            "*",
            "*.example.com",
            ".x.org",
            "github.com:443",
            "github.com:*",
            "[::1]:8080",
            "[::1]",
            "bücher.example",
            " x.org ",
            "127.0.0.1",
            "x.org.",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            " ",
            ":8443",
            "http://",
            "github.com/*",
            "github.com/",
            "https://github.com/org",
            "github.com:",
            "api-*.x.com",
            "a.*.com",
            "*x.com",
            "**",
            "ftp://x",
            "u@x",
            "::1",
            "x:0",
            "x:65536",
            "x:abc",
            "[::1",
            "[zz]",
            "[::1]x",
            "a..b",
            "x y",
            "[fe80::1%25lo]",
            "x?y",
            "*.",
            ".",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
