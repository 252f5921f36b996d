//! N15: HTTP/2, as it should be and otherwise.

use serde_json::Value;
use toolgate::ErrorKind;
use toolgate_tests::net::{Authority, Http2Server};

use crate::stage::{PATIENCE, Stage};

/// An HTTP/2 server with a certificate for `a.test`, and a host that believes it.
fn with_server(only_h2: bool, max_body_bytes: u64) -> (Stage, Http2Server) {
    let authority = Authority::new();
    let identity = authority.certificate(&["a.test"]);
    let server = if only_h2 {
        Http2Server::only_h2(&identity)
    } else {
        Http2Server::start(&identity)
    };
    let stage = Stage::with(&[url(&server, "/")], |config| {
        config.url_scope.ca_file = Some(authority.pem_file().to_owned());
        config.url_scope.max_body_bytes = max_body_bytes;
    });
    // The file is read at the first handshake, and lives as long as the authority.
    echo(&stage, &server);
    (stage, server)
}

fn url(server: &Http2Server, path: &str) -> String {
    server.url_for("a.test", path)
}

/// What the server says it was asked.
fn echo(stage: &Stage, server: &Http2Server) -> Value {
    let page = stage.page(&url(server, "/echo?a=b%20c"));
    assert_eq!(
        (&page["status"], &page["content_type"]),
        (&200.into(), &"application/json".into())
    );
    serde_json::from_str(page["body"].as_str().unwrap()).unwrap()
}

#[test]
fn n15_http2_is_spoken_where_the_server_offers_it() {
    for only_h2 in [false, true] {
        let (stage, server) = with_server(only_h2, 65_536);
        let echo = echo(&stage, &server);
        assert_eq!(
            (&echo["method"], &echo["target"]),
            (&"GET".into(), &"/echo?a=b%20c".into())
        );
        assert_eq!((&echo["version"], &echo["body"]), (&"HTTP/2.0".into(), &"".into()));
        let headers = echo["headers"].as_array().unwrap();
        let authority = format!("a.test:{}", server.address().port());
        for pair in [
            [":scheme", "https"],
            [":authority", &authority],
            ["accept-encoding", "gzip, br, deflate"],
            ["accept", "*/*"],
        ] {
            assert!(headers.contains(&pair.as_slice().into()), "{headers:?}");
        }
        let mut names: Vec<_> = headers.iter().map(|pair| pair[0].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [":authority", ":scheme", "accept", "accept-encoding", "user-agent"]
        );
        let connections = server.recorder().connections();
        assert_eq!(connections.len(), 1, "one connection carries all requests");
        assert_eq!(connections[0].alpn.as_deref(), Some("h2"));
        assert_eq!(connections[0].alpn_offered, ["h2", "http/1.1"]);
        assert_eq!(connections[0].sni.as_deref(), Some("a.test"));
    }
}

#[test]
fn n15_large_http2_bodies_are_read_and_cut() {
    let (stage, server) = with_server(false, 4 << 20);
    let page = stage.page(&url(&server, "/large/3000000"));
    assert_eq!((&page["bytes"], &page["truncated"]), (&3_000_000.into(), &false.into()));
    assert!(page["body"].as_str().unwrap().bytes().all(|byte| byte == b'l'));
    assert!(!page.contains_key("total_bytes"));
    let page = stage.page(&url(&server, "/large/200000000"));
    assert_eq!((&page["bytes"], &page["truncated"]), (&(4 << 20).into(), &true.into()));
    echo(&stage, &server);
    drop(stage);
    for connection in server.recorder().wait_for_end(1, PATIENCE) {
        assert!(connection.sent < 24 << 20, "{} bytes were sent", connection.sent);
    }
}

#[test]
fn n15_http2_streams_that_break_off_are_told() {
    let (stage, server) = with_server(true, 65_536);
    for path in ["/reset", "/goaway", "/reset"] {
        let says = &["body of https://a.test:", "cannot be read"];
        stage.refuses(&url(&server, path), ErrorKind::Unavailable, says);
        echo(&stage, &server);
    }
    // A stream that is reset is no reason to leave the connection; one that goes away is.
    assert_eq!(server.recorder().connections().len(), 2);
}

#[test]
fn n08_large_http2_heads_are_refused() {
    let (stage, server) = with_server(true, 65_536);
    assert_eq!(stage.page(&url(&server, "/headers/40"))["status"], 200);
    for count in [100, 10_000] {
        let url = url(&server, &format!("/headers/{count}"));
        stage.refuses(&url, ErrorKind::Unavailable, &["no answer from", "head", "64 KiB"]);
        echo(&stage, &server);
    }
    for connection in server.recorder().connections() {
        assert!(connection.sent < 24 << 20, "{} bytes were sent", connection.sent);
    }
}
