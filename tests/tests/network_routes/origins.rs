//! Headers of the operator belong to a host, and stay with it on redirects.

use toolgate::ErrorKind;
use toolgate_tests::net::{Authority, HttpProxy, ScriptServer, Upstream, scripts};

use crate::bundles::{bundles, variables};
use crate::stage::{Stage, echo, pinned};

/// A chain from a to b and back to a, over three hops.
fn chain(to: &str) -> impl Fn(&toolgate_tests::net::Request) -> toolgate_tests::net::Script + Send + Sync + use<> {
    let to = to.to_owned();
    move |request| match request.path() {
        "/start" => scripts::redirect(302, &to),
        _ => echo(request),
    }
}

#[tokio::test]
async fn h7_h8_n09_on_another_host_only_its_own_bundle_is_sent() {
    // The third host is known only after the second server runs, so b leads back by name and port.
    let a_again = ScriptServer::start(echo);
    let b = ScriptServer::start(chain(&format!("http://a.test:{}/end", a_again.address().port())));
    let a = ScriptServer::start(chain(&format!("http://b.test:{}/start", b.address().port())));
    let place = |name: &str, server: &ScriptServer| format!("{name}:{}", server.address().port());
    let [at_a, at_b, at_end] = [place("a.test", &a), place("b.test", &b), place("a.test", &a_again)];
    let both = [
        (at_a.as_str(), "Authorization", "Bearer ${TOKEN}"),
        (at_a.as_str(), "Cookie", "session=${TOKEN}"),
        (at_a.as_str(), "X-Only-A", "$TOKEN"),
        (at_b.as_str(), "Authorization", "Basic ${OTHER}"),
    ];
    for used in [&both[..3], &both[..]] {
        let stage = Stage::built(
            |config| {
                config.url_scope.allow = vec![
                    pinned("a.test", a.address()),
                    pinned("b.test", b.address()),
                    pinned("a.test", a_again.address()),
                ];
                config.url_scope.headers = bundles(used);
                config.url_scope.headers_over_http = config.url_scope.headers.keys().cloned().collect();
            },
            |builder| builder.variables(variables),
        );
        let page = stage.fetch(&format!("http://{at_a}/start")).await.unwrap();
        assert_eq!(page["final_url"], format!("http://{at_end}/end"));
        let [first, second, third] = [&a, &b, &a_again].map(|server| server.recorder().requests().pop().unwrap());
        assert_eq!(first.header("authorization"), Some("Bearer secret-of-token"));
        assert_eq!(first.header("cookie"), Some("session=secret-of-token"));
        assert_eq!(first.header("x-only-a"), Some("secret-of-token"));
        let expected = (used.len() == 4).then_some("Basic secret-of-other");
        assert_eq!(second.header("authorization"), expected);
        // The same host at another port is another origin.
        assert_eq!(third.header("authorization"), None);
        for request in [&second, &third] {
            for name in ["cookie", "x-only-a", "referer"] {
                assert_eq!(request.header(name), None, "{request:?}");
            }
            assert!(
                !String::from_utf8_lossy(&request.raw).contains("secret-of-token"),
                "{request:?}"
            );
        }
        let shown = format!("{page:?}{}", stage.log());
        assert!(!shown.contains("secret-of"), "{shown}");
    }
}

#[tokio::test]
async fn a_hop_whose_bundle_cannot_be_sent_is_not_made() {
    let b = ScriptServer::start(echo);
    let a = ScriptServer::start(chain(&format!("http://b.test:{}/x?y=hunter2", b.address().port())));
    let pattern = format!("b.test:{}", b.address().port());
    for (value, over_http, words) in [("$TOKEN", false, "plain http"), ("$ABSENT", true, "ABSENT")] {
        let stage = Stage::built(
            |config| {
                config.url_scope.allow = vec![a.url(""), pinned("b.test", b.address())];
                config.url_scope.headers = bundles(&[(&pattern, "X-Key", value)]);
                config.url_scope.headers_over_http = over_http.then(|| pattern.clone()).into_iter().collect();
            },
            |builder| builder.variables(variables),
        );
        let words = ["redirect 1", &pattern, words];
        let message = stage
            .refused(&a.url("/start"), ErrorKind::InvalidArguments, &words)
            .await;
        assert!(
            !message.contains("secret-of") && !message.contains("hunter2"),
            "{message}"
        );
    }
    assert!(b.recorder().connections().is_empty());
}

#[tokio::test]
async fn the_headers_of_https_hosts_do_not_follow_to_http_or_to_a_proxy() {
    let authority = Authority::new();
    let plain = ScriptServer::start(echo);
    let location = format!("http://a.test:{}/plain", plain.address().port());
    let secure = ScriptServer::tls(&authority.certificate(&["a.test"]), move |_| {
        scripts::redirect(302, &location)
    });
    let (port, plain_port) = (secure.address().port(), plain.address().port());
    let stage = |proxy: &str, plain_entry: &str| {
        Stage::built(
            |config| {
                config.url_scope.allow = vec![format!("a.test:{port}=127.0.0.1"), plain_entry.to_owned()];
                config.url_scope.headers = bundles(&[(&format!("a.test:{port}"), "Authorization", "Bearer $TOKEN")]);
                config.url_scope.ca_file = Some(authority.pem_file().to_owned());
                config.url_scope.proxy = proxy.to_owned();
            },
            |builder| builder.variables(variables),
        )
    };
    let entry = format!("http://a.test:{plain_port}=127.0.0.1");
    stage("", &entry).body(&secure.url_for("a.test", "/")).await;
    let request = secure.recorder().requests().pop().unwrap();
    assert_eq!(request.header("authorization"), Some("Bearer secret-of-token"));
    assert_eq!(plain.recorder().requests().pop().unwrap().header("authorization"), None);

    let proxy = HttpProxy::start(Upstream::Fixed(secure.address()));
    let through = stage(&proxy.url(), "unused.test");
    let words = ["redirect 1"];
    through
        .refused(&secure.url_for("a.test", "/"), ErrorKind::Denied, &words)
        .await;
    let seen = &proxy.recorder().connections()[0].received;
    assert!(
        !String::from_utf8_lossy(seen).contains("secret-of-token"),
        "only inside TLS"
    );
    let inside = secure.recorder().requests().pop().unwrap();
    assert_eq!(inside.header("authorization"), Some("Bearer secret-of-token"));
}
