//! From https to http only where an entry says `http://`.

use toolgate::ErrorKind;
use toolgate_tests::net::{Authority, Http2Server, ScriptServer, scripts};

use crate::stage::{Stage, echo, owned};

#[tokio::test]
async fn a_hop_from_https_to_http_needs_an_entry_with_http() {
    let authority = Authority::new();
    let plain = ScriptServer::start(echo);
    let location = plain.url("/plain?token=hunter2");
    let secure = ScriptServer::tls(&authority.certificate(&["127.0.0.1"]), move |_| {
        scripts::redirect(301, &location)
    });
    let stage = |entries: &[&str]| {
        let entries = owned(entries);
        Stage::new(|config| {
            config.url_scope.allow = entries;
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
        })
    };
    let (from, to) = (secure.address().to_string(), plain.address().to_string());
    for entry in [to.as_str(), &format!("https://{to}"), "*:*"] {
        let words = ["redirect 1", "http", &to];
        let message = stage(&[&from, entry])
            .refused(&secure.url("/"), ErrorKind::Denied, &words)
            .await;
        assert!(!message.contains("hunter2"), "{message}");
    }
    assert!(plain.recorder().connections().is_empty());
    let open = stage(&[&from, &format!("http://{to}")]);
    assert_eq!(open.body(&secure.url("/")).await, "/plain?token=hunter2");
    // Even there a plain hop needs its entry exactly: another port has none.
    let other = ScriptServer::start(echo);
    let location = other.url("/");
    let astray = ScriptServer::tls(&authority.certificate(&["127.0.0.1"]), move |_| {
        scripts::redirect(301, &location)
    });
    let mixed = stage(&[&astray.address().to_string(), &format!("http://{to}"), "*:*"]);
    mixed
        .refused(&astray.url("/"), ErrorKind::Denied, &["redirect 1"])
        .await;
    assert!(other.recorder().connections().is_empty());
}

#[tokio::test]
async fn a_hop_from_http_to_https_is_none_the_worse() {
    let authority = Authority::new();
    let secure = Http2Server::start(&authority.certificate(&["127.0.0.1"]));
    let location = secure.url("/redirect?/echo");
    let plain = ScriptServer::start(move |_| scripts::redirect(308, &location));
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&[&plain.url(""), &secure.address().to_string()]);
        config.url_scope.ca_file = Some(authority.pem_file().to_owned());
    });
    let page = stage.fetch(&plain.url("/")).await.unwrap();
    assert_eq!(page["final_url"], secure.url("/echo"));
    let requests = secure.recorder().requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert_eq!(
            (request.version.as_str(), request.header("referer")),
            ("HTTP/2.0", None)
        );
        assert_eq!(
            request.header(":authority"),
            Some(secure.address().to_string().as_str())
        );
    }
}
