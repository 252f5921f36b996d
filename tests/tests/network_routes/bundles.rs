//! Which header bundle goes along with a request, and when nothing is sent.

use std::collections::BTreeMap;

use toolgate::{Config, ErrorKind};
use toolgate_tests::net::{Authority, ScriptServer};
use toolgate_tests::rig::builder;

use crate::stage::{Stage, echo, owned, pinned};

/// `url_scope.headers` from pattern, header and value.
pub(crate) fn bundles(all: &[(&str, &str, &str)]) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut headers: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (pattern, name, value) in all {
        let bundle = headers.entry((*pattern).to_owned()).or_default();
        bundle.insert((*name).to_owned(), (*value).to_owned());
    }
    headers
}

/// A variable of the tests.
pub(crate) fn variables(name: &str) -> Option<String> {
    let value = match name {
        "TOKEN" => "secret-of-token",
        "OTHER" => "secret-of-other",
        "EMPTY" => "",
        "BROKEN" => "secret-one\r\nX-Injected: secret-two",
        "CONTROL" => "secret\u{1}",
        "FOREIGN" => "secr\u{e9}t",
        _ => return None,
    };
    Some(value.to_owned())
}

#[tokio::test]
async fn h1_to_h4_one_bundle_and_the_most_exact_one() {
    let server = ScriptServer::start(echo);
    let port = server.address().port();
    let patterns = [
        format!("*:{port}"),
        format!("*.github.test:{port}"),
        format!("api.github.test:{port}"),
    ];
    let names = [
        "api.github.test",
        "b.github.test",
        "a.b.github.test",
        "github.test",
        "z.test",
    ];
    let stage = |used: &[usize]| {
        let values = ["any", "below", "exact"];
        let headers = ["X-Any", "X-Below", "X-Exact"];
        let chosen: Vec<_> = used
            .iter()
            .flat_map(|number| {
                let pattern = patterns[*number].as_str();
                [
                    (pattern, "X-Which", values[*number]),
                    (pattern, headers[*number], "yes"),
                ]
            })
            .collect();
        Stage::new(|config| {
            config.url_scope.allow = names.iter().map(|name| pinned(name, server.address())).collect();
            config.url_scope.headers = bundles(&chosen);
            config.url_scope.headers_over_http = used.iter().map(|number| patterns[*number].clone()).collect();
        })
    };
    let cases = [
        ([0, 1, 2].as_slice(), ["exact", "below", "below", "any", "any"]),
        ([1, 2].as_slice(), ["exact", "below", "below", "", ""]),
        ([2].as_slice(), ["exact", "", "", "", ""]),
    ];
    for (used, expected) in cases {
        let stage = stage(used);
        for (name, expected) in names.iter().zip(expected) {
            stage.body(&format!("http://{name}:{port}/")).await;
            let request = server.recorder().requests().pop().unwrap();
            let which: Vec<_> = request.headers_named("x-which").collect();
            assert_eq!(
                which.first().copied().unwrap_or_default(),
                expected,
                "{name}: {request:?}"
            );
            // Bundles are never merged.
            let all = request
                .headers
                .iter()
                .filter(|(name, _)| name.starts_with("x-"))
                .count();
            assert_eq!(all, if expected.is_empty() { 0 } else { 2 }, "{name}: {request:?}");
        }
    }
}

#[tokio::test]
async fn h5_a_pattern_without_a_port_is_for_the_default_port() {
    let authority = Authority::new();
    let identity = authority.certificate(&["api.test"]);
    let server = ScriptServer::tls(&identity, echo);
    let port = server.address().port();
    for (pattern, sent) in [
        ("api.test".to_owned(), false),
        ("api.test:*".to_owned(), true),
        (format!("api.test:{port}"), true),
    ] {
        let stage = Stage::built(
            |config| {
                config.url_scope.allow = vec![format!("api.test:{port}=127.0.0.1")];
                config.url_scope.headers = bundles(&[(&pattern, "Authorization", "Bearer ${TOKEN}")]);
                config.url_scope.ca_file = Some(authority.pem_file().to_owned());
            },
            |builder| builder.variables(variables),
        );
        stage.body(&server.url_for("api.test", "/")).await;
        let request = server.recorder().requests().pop().unwrap();
        let expected = sent.then_some("Bearer secret-of-token");
        assert_eq!(request.header("authorization"), expected, "{pattern}");
    }
}

#[test]
fn h6_patterns_with_a_scheme_and_names_of_the_transport_stop_the_start() {
    let directory = tempfile::tempdir().unwrap();
    for (pattern, name, value, words) in [
        ("http://api.test", "X-Key", "k", "scheme"),
        ("https://api.test", "X-Key", "k", "scheme"),
        ("api.test/path", "X-Key", "k", "'/'"),
        ("api.test", "Host", "evil.test", "Host"),
        ("api.test", "Content-Length", "1", "Content-Length"),
        ("api.test", "transfer-encoding", "chunked", "transfer-encoding"),
        ("api.test", "Proxy-Authorization", "x", "Proxy-Authorization"),
        ("api.test", "Connection", "x", "Connection"),
        ("api.test", "", "x", "header name"),
        ("api.test", "X Key", "x", "header name"),
        ("api.test", "X-Key:", "x", "header name"),
        ("api.test", "X-Key\r\nX-Other", "x", "header name"),
        ("api.test", "X-Key", "a\r\nHost: evil.test", "control character"),
        ("api.test", "X-Key", "${TOKEN", "not closed"),
    ] {
        let mut config = Config::default();
        config.url_scope.allow = owned(&["api.test"]);
        config.url_scope.headers = bundles(&[(pattern, name, value)]);
        let error = match builder(directory.path()).config(config).build() {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{pattern} {name:?} {value:?}"),
        };
        assert!(
            error.contains("url_scope.headers") && error.contains(words),
            "{words}: {error}"
        );
        assert!(value.len() < 3 || !error.contains(value), "{error}");
    }
}

#[tokio::test]
async fn h9_credentials_over_plain_http_need_the_operators_word() {
    let server = ScriptServer::start(echo);
    let pattern = server.address().to_string();
    let stage = |over_http: &[&str]| {
        Stage::built(
            |config| {
                config.url_scope.allow = vec![server.url("")];
                config.url_scope.headers = bundles(&[(&pattern, "Authorization", "Bearer $TOKEN")]);
                config.url_scope.headers_over_http = owned(over_http);
            },
            |builder| builder.variables(variables),
        )
    };
    let closed = stage(&[]);
    let words = ["plain http", "url_scope.headers_over_http", pattern.as_str()];
    let message = closed
        .refused(&server.url("/?q=hunter2"), ErrorKind::InvalidArguments, &words)
        .await;
    assert!(
        !message.contains("secret-of") && !message.contains("hunter2"),
        "{message}"
    );
    assert!(server.recorder().connections().is_empty(), "nothing was sent");
    stage(&[&pattern]).body(&server.url("/")).await;
    let request = server.recorder().requests().pop().unwrap();
    assert_eq!(request.header("authorization"), Some("Bearer secret-of-token"));
}

#[tokio::test]
async fn h10_h11_an_unset_variable_or_an_illegal_value_sends_nothing() {
    let server = ScriptServer::start(echo);
    let pattern = server.address().to_string();
    for (value, words) in [
        ("Bearer ${ABSENT}", ["X-Key", "ABSENT"]),
        ("$EMPTY", ["X-Key", "EMPTY"]),
        ("${TOKEN} and $ABSENT", ["X-Key", "ABSENT"]),
        ("Bearer ${BROKEN}", ["X-Key", "line break"]),
        ("${CONTROL}", ["X-Key", "control character"]),
        ("${FOREIGN}", ["X-Key", "ASCII"]),
    ] {
        let stage = Stage::built(
            |config| {
                config.url_scope.allow = vec![server.url("")];
                config.url_scope.headers = bundles(&[(&pattern, "X-Key", value), (&pattern, "X-Good", "$TOKEN")]);
                config.url_scope.headers_over_http = vec![pattern.clone()];
            },
            |builder| builder.variables(variables),
        );
        let url = server.url("/");
        let message = stage.refused(&url, ErrorKind::InvalidArguments, &words).await;
        assert!(
            message.contains("nothing was sent") && !message.contains("secr"),
            "{message}"
        );
        assert!(!stage.log().contains("secr"), "{value}");
    }
    assert!(server.recorder().connections().is_empty(), "nothing was sent");
}

#[tokio::test]
async fn variables_are_looked_up_at_each_request() {
    let server = ScriptServer::start(echo);
    let pattern = server.address().to_string();
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&asked);
    let lookup = move |name: &str| {
        assert_eq!(name, "ROTATED");
        Some(format!(
            "key-{}",
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
        ))
    };
    let stage = Stage::built(
        |config| {
            config.url_scope.allow = vec![server.url("")];
            config.url_scope.headers = bundles(&[(&pattern, "X-Key", "$ROTATED$$")]);
            config.url_scope.headers_over_http = vec![pattern.clone()];
        },
        |builder| builder.variables(lookup),
    );
    for number in 0..2 {
        stage.body(&server.url("/")).await;
        let request = server.recorder().requests().pop().unwrap();
        assert_eq!(request.header("x-key"), Some(format!("key-{number}$").as_str()));
    }
}
