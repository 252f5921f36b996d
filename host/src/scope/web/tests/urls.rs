//! The rows of urls.json.

use serde::Deserialize;

use super::check_words;
use crate::scope::web::{Options, UrlScope, WebUrl};

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Expect {
    Pass,
    Refuse,
    LoadError,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    from: Option<String>,
    allow: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    url: String,
    expect: Expect,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    silent: Vec<String>,
    #[serde(default)]
    warns: Vec<String>,
    normal: Option<String>,
}

#[derive(Deserialize)]
struct Rows {
    rows: Vec<Row>,
}

#[test]
fn rows() {
    let text = include_str!("../../../../../tests/vectors/urls.json");
    let Rows { rows } = serde_json::from_str(text).unwrap();
    assert!(rows.len() > 150);
    for row in rows {
        let scope = UrlScope::new(&row.allow, &row.deny, Options::default());
        let scope = match (scope, &row.expect) {
            (Err(error), Expect::LoadError) => {
                check_words(&row.id, &error.to_string(), &row.says, &row.silent);
                continue;
            }
            (scope, expect) => {
                assert!(!matches!(expect, Expect::LoadError), "{}: it loads", row.id);
                scope.unwrap()
            }
        };
        let remarks: Vec<String> = scope
            .remarks()
            .iter()
            .map(|(key, text)| format!("{key}: {text}"))
            .collect();
        assert_eq!(remarks.is_empty(), row.warns.is_empty(), "{}: {remarks:?}", row.id);
        check_words(&row.id, &remarks.join("\n"), &row.warns, &[]);

        let url = match &row.from {
            Some(from) => WebUrl::parse(from).unwrap().join(&row.url),
            None => WebUrl::parse(&row.url),
        };
        let answer = url
            .map_err(|error| error.to_string())
            .and_then(|url| scope.judge(&url).map(|()| url).map_err(|refusal| refusal.to_string()));
        match (answer, row.expect) {
            (Ok(url), Expect::Pass) => assert_eq!(Some(url.to_string()), row.normal, "{}", row.id),
            (Err(message), Expect::Refuse) => {
                assert!(!row.says.is_empty(), "{}: what does the message say?", row.id);
                check_words(&row.id, &message, &row.says, &row.silent);
            }
            (answer, _) => panic!("{}: {answer:?}", row.id),
        }
    }
}

#[test]
fn the_parts_of_a_url() {
    let url = WebUrl::parse("HTTPS://Bücher.Example:8443/a?b#c").unwrap();
    assert_eq!(url.as_str(), "https://xn--bcher-kva.example:8443/a?b");
    assert_eq!(url.origin(), "https://xn--bcher-kva.example:8443");
    assert_eq!((url.host_text(), url.port()), ("xn--bcher-kva.example", 8443));
    assert!(!url.is_default_port());

    let url = WebUrl::parse("http://[2001:DB8::0:1]:80").unwrap();
    assert_eq!(url.as_str(), "http://[2001:db8::1]/");
    assert_eq!(url.origin(), "http://[2001:db8::1]");
    assert_eq!((url.host_text(), url.port()), ("[2001:db8::1]", 80));
    assert!(url.is_default_port());
}

#[test]
fn changes_are_the_one_that_helps() {
    let change = |allow: &[&str], deny: &[&str], url: &str| {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let scope = UrlScope::new(&texts(allow), &texts(deny), Options::default()).unwrap();
        scope.judge(&WebUrl::parse(url).unwrap()).unwrap_err().change
    };
    let add = |entry: &str| Some(format!("add {entry:?} to url_scope.allow"));
    assert_eq!(change(&[], &[], "http://x.org:81/a"), add("http://x.org:81"));
    assert_eq!(change(&["y.org"], &[], "https://10.0.0.5/"), add("10.0.0.5"));
    assert_eq!(change(&["y.org"], &[], "https://[::1]:81/"), add("[::1]:81"));
    let remove = Some("remove \"x.org\" from url_scope.deny".to_owned());
    assert_eq!(change(&["*"], &["x.org"], "https://x.org/"), remove);
    // One step does not help here, or none does.
    assert_eq!(
        change(&["*"], &["x.org", "*.org"], "https://a.x.org/"),
        Some("remove \"*.org\" from url_scope.deny".to_owned())
    );
    assert_eq!(change(&["*"], &["x.org", "*"], "https://x.org/"), None);
    assert_eq!(change(&["y.org"], &["x.org"], "https://x.org/"), None);
    assert_eq!(change(&["*"], &["10.0.0.5"], "https://10.0.0.5/"), None);
    let remove = Some("remove \"10.0.0.5\" from url_scope.deny".to_owned());
    assert_eq!(change(&["10.0.0.5"], &["10.0.0.5"], "https://10.0.0.5/"), remove);
    assert_eq!(change(&["y.org"], &[], "http://169.254.169.254/"), None);
    assert_eq!(change(&["y.org"], &[], "https://metadata.goog/"), None);
    assert_eq!(change(&["y.org"], &[], "https://224.0.0.1/"), None);
}

#[test]
fn the_nearest_entry_is_named() {
    let allow = ["api.example.com", "github.com", "notes.example"].map(str::to_owned);
    let scope = UrlScope::new(&allow, &[], Options::default()).unwrap();
    for (url, nearest) in [
        ("https://githab.com/", "\"github.com\""),
        ("https://www.example.com/", "\"api.example.com\""),
        ("https://more-notes.example/", "\"notes.example\""),
    ] {
        let refusal = scope.judge(&WebUrl::parse(url).unwrap()).unwrap_err();
        assert_eq!(refusal.rule, "url_scope.allow");
        for word in ["3 entries", nearest] {
            assert!(refusal.reason.contains(word), "{word}: {refusal}");
        }
    }
}

#[test]
fn plain_http_needs_an_entry_that_says_so() {
    let allow = ["http://a.org", "b.org", "http://*.c.org:81"].map(str::to_owned);
    let scope = UrlScope::new(&allow, &[], Options::default()).unwrap();
    let admits = |url: &str| scope.admits_plain_http(&WebUrl::parse(url).unwrap());
    assert!(admits("http://a.org/") && admits("http://x.c.org:81/"));
    assert!(
        !admits("https://b.org/"),
        "that it is admitted over https is not enough"
    );
    assert!(!admits("http://b.org/") && !admits("http://a.org:81/") && !admits("http://x.c.org/"));
}

#[test]
fn entries_that_admit_nothing_are_remarked_on() {
    let allow = [
        "10.0.0.5",
        "169.254.169.254",
        "metadata.goog",
        "0.0.0.0",
        "x.org=100.100.100.200",
    ]
    .map(str::to_owned);
    let remarks = |options| UrlScope::new(&allow, &[], options).unwrap().remarks();
    let keys = |options| remarks(options).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
    let key = |index| format!("url_scope.allow[{index}]");
    assert_eq!(keys(Options::default()), [key(1), key(2), key(3), key(4)]);
    let allow_metadata = Options {
        allow_metadata: true,
        nat64: None,
    };
    assert_eq!(keys(allow_metadata), [key(3)]);
}
