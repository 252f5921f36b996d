//! Made-up input: nothing panics, and what is accepted is the same when it is read again.

use std::collections::BTreeMap;
use std::slice::from_ref;

use crate::scope::web::{Bundles, Nat64Prefix, Options, Pattern, UrlScope, WebUrl, is_internal_name, is_metadata_name};

/// A generator of numbers that is the same in every run (xorshift, Marsaglia 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// Pieces of URLs, legal and not.
const PIECES: &[&str] = &[
    "http",
    "https",
    "HTTPS",
    "ftp",
    ":",
    "://",
    "//",
    "/",
    "\\",
    "@",
    "?",
    "#",
    ".",
    "..",
    "%",
    "%2e",
    "%00",
    "%25",
    "[",
    "]",
    "::",
    "::1",
    "[::1]",
    "127.0.0.1",
    "0x7f",
    "017",
    "1",
    "256",
    ":443",
    ":80",
    ":0",
    ":65536",
    "x",
    "example.com",
    "ｇ",
    "。",
    "\u{ad}",
    "ı",
    "ü",
    "xn--",
    "xn--bcher-kva",
    "*",
    "*.",
    "=",
    ",",
    "10.0.0.5",
    "$",
    "${",
    "}",
    "-",
    "_",
    " ",
    "\t",
    "\n",
    "\0",
    "\u{202e}",
    "\u{feff}",
    "日本",
    "&",
    "'",
];

fn made_up(numbers: &mut Numbers) -> String {
    let start = numbers.pick(&["", "https://", "http://", "//", "https://x/"]);
    let pieces = numbers.below(9);
    (0..pieces).fold(start.to_owned(), |text, _| text + numbers.pick(PIECES))
}

fn check(url: &WebUrl) {
    let again = WebUrl::parse(url.as_str());
    assert_eq!(again.as_ref(), Ok(url), "{url}");
    // The client dials what was judged: its parser sees the same host and port.
    let seen = url::Url::parse(url.as_str()).unwrap();
    assert_eq!(
        (seen.host_str(), seen.port_or_known_default()),
        (Some(url.host_text()), Some(url.port())),
        "{url}"
    );
    assert!(
        seen.username().is_empty() && seen.password().is_none() && seen.fragment().is_none(),
        "{url}"
    );
    assert!(!url.host_text().ends_with('.') && url.host_text().is_ascii(), "{url}");
}

#[test]
fn normal_urls_stay_as_they_are() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let base = WebUrl::parse("https://example.com:8443/a/b?c").unwrap();
    let (mut read, mut joined) = (0, 0);
    for _ in 0..20_000 {
        let text = made_up(&mut numbers);
        if let Ok(url) = WebUrl::parse(&text) {
            check(&url);
            read += 1;
        }
        if let Ok(url) = base.join(&text) {
            check(&url);
            joined += 1;
        }
    }
    assert!(read > 500 && joined > 2_000, "{read} {joined}");
}

#[test]
fn patterns_that_load_admit_what_they_name() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut exact = 0;
    for _ in 0..20_000 {
        let text = made_up(&mut numbers);
        let Ok(pattern) = Pattern::parse(&text) else { continue };
        assert_eq!(pattern.to_string(), text.trim());
        if pattern.is_exact() && pattern.pins().is_empty() {
            let rest = text.trim().split_once("://").map_or(text.trim(), |(_, rest)| rest);
            let url = format!("https://{}/", rest.strip_suffix(":*").unwrap_or(rest));
            let url = WebUrl::parse(&url).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(pattern.matches_allow(&url) && pattern.matches_deny(&url), "{text}");
            exact += 1;
        }
    }
    assert!(exact > 200, "{exact}");
}

#[test]
fn any_bytes_get_an_answer() {
    let mut numbers = Numbers(0xd1b5_4a32_d192_ed03);
    let base = WebUrl::parse("http://x/").unwrap();
    for _ in 0..10_000 {
        let length = numbers.below(40);
        let bytes: Vec<u8> = (0..length).map(|_| numbers.below(256) as u8).collect();
        let bytes = String::from_utf8_lossy(&bytes).into_owned();
        for text in [bytes.clone(), format!("https://{bytes}"), made_up(&mut numbers)] {
            for url in [WebUrl::parse(&text), base.join(&text)].into_iter().flatten() {
                check(&url);
            }
            let _ = Pattern::parse(&text);
            let _ = UrlScope::new(from_ref(&text), from_ref(&text), Options::default());
            let _ = text.parse::<Nat64Prefix>();
            let _ = (is_internal_name(&text), is_metadata_name(&text));
            let headers = BTreeMap::from([(text.clone(), BTreeMap::from([("A".to_owned(), text.clone())]))]);
            let _ = Bundles::new(&headers, from_ref(&text), &|_| false);
        }
    }
}

#[test]
fn lengths_have_an_end() {
    let long = |length: usize| format!("https://x/{}", "a".repeat(length - "https://x/".len()));
    assert!(WebUrl::parse(&long(8192)).is_ok());
    let error = WebUrl::parse(&long(8193)).unwrap_err().to_string();
    assert!(error.contains("8192 bytes"), "{error}");
    // What it becomes is held to the same length.
    assert!(WebUrl::parse(&format!("https://x/{}", "ü".repeat(3000))).is_err());
    let base = WebUrl::parse(&long(8192)).unwrap();
    assert!(base.join(&format!("?{}", "a".repeat(100))).is_err());

    let label = "a".repeat(63);
    let name = format!("{label}.{label}.{label}.{}", "a".repeat(61));
    assert_eq!(name.len(), 253);
    assert!(WebUrl::parse(&format!("https://{name}./")).is_ok());
    for (bad, says) in [(format!("{name}a"), "253 bytes"), (format!("{label}a.org"), "63 bytes")] {
        let error = WebUrl::parse(&format!("https://{bad}/")).unwrap_err().to_string();
        assert!(error.contains(says) && error.len() < 250, "{error}");
    }
}

#[test]
fn names_that_tell_where_they_lead() {
    for name in [
        "localhost",
        "a.localhost",
        "x.local",
        "nas.lan",
        "a.b.internal",
        "x.home.arpa",
        "CORP",
        "intranet",
    ] {
        assert!(is_internal_name(name), "{name}");
    }
    for name in ["x.org", "local.org", "xlocal.example", "home.arpa.org", "arpa.net"] {
        assert!(!is_internal_name(name), "{name}");
    }
    for name in [
        "metadata.goog",
        "Metadata.Google.Internal",
        "a.instance-data",
        "instance-data.ec2.internal",
    ] {
        assert!(is_metadata_name(name), "{name}");
    }
    for name in ["goog", "xmetadata.goog", "metadata.goog.org", "google.internal"] {
        assert!(!is_metadata_name(name), "{name}");
    }
}
