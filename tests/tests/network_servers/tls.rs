//! N15: servers that speak old TLS, broken TLS or none at all.

use toolgate::ErrorKind;
use toolgate_tests::net::{Authority, RawServer, Script, ScriptServer, Step, scripts};

use crate::stage::{GOOD, PATIENCE, Stage, answering, site};

/// What the client sends to a server that answers its greeting like this, after the call has failed as it says.
fn refused(script: Script, says: &[&str]) -> Vec<u8> {
    let server = RawServer::start(script);
    let url = format!("https://a.test:{}/", server.address().port());
    let stage = Stage::new(std::slice::from_ref(&url));
    stage.refuses(&url, ErrorKind::Unavailable, says);
    let connections = server.recorder().wait_for_end(1, PATIENCE);
    assert_eq!(connections.len(), 1, "it was tried again");
    // A record of a handshake (RFC 8446, section 5.1), and no request.
    assert_eq!(connections[0].received[0], 22);
    assert!(!connections[0].received.windows(4).any(|bytes| bytes == b"GET "));
    connections[0].received.clone()
}

#[test]
fn n15_old_tls_is_refused() {
    let received = refused(
        scripts::tls10_hello(),
        &["no TLS connection to https://a.test:", "peer is incompatible"],
    );
    // The last record is an alert of seven bytes, `protocol_version` (RFC 8446, section 6).
    let last = &received[received.len() - 7..];
    assert_eq!((last[0], last[6]), (21, 70), "{last:?}");
}

#[test]
fn n15_alerts_are_told() {
    for (number, name) in [
        (40, "HandshakeFailure"),
        (70, "ProtocolVersion"),
        (112, "UnrecognisedName"),
    ] {
        let says = ["no TLS connection to https://a.test:", "alert", name];
        refused(scripts::tls_alert(number), &says);
    }
}

#[test]
fn n15_what_is_no_tls_is_refused() {
    let says = &["no TLS connection to https://a.test:"];
    let http = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_vec();
    refused(vec![Step::Send(http), Step::Close], says);
    refused(vec![Step::Send(vec![0; 64]), Step::Close], says);
    refused(
        vec![Step::Close],
        &[
            "no TLS connection to https://a.test:",
            "closed the connection during the handshake",
        ],
    );
    refused(vec![Step::Reset], &["no TLS connection to https://a.test:", "reset"]);
    // Records may have 16 KiB (RFC 8446, section 5.1); this one announces more and never ends.
    refused(
        vec![Step::Send(vec![22, 3, 3, 255, 255]), Step::Endless(vec![7; 4096])],
        says,
    );
}

#[test]
fn n15_a_tls_server_is_not_asked_in_the_clear() {
    let authority = Authority::new();
    let server = ScriptServer::tls(&authority.certificate(&["a.test"]), answering(Vec::new()));
    let url = format!("http://a.test:{}{GOOD}", server.address().port());
    let stage = Stage::believing(std::slice::from_ref(&url), authority.pem_file());
    stage.refuses(&url, ErrorKind::Unavailable, &["no answer from http://a.test:"]);
    assert!(server.recorder().requests().is_empty());
}

#[test]
fn n15_a_plain_server_is_no_way_out_of_tls() {
    let server = site(Vec::new());
    let https = format!("https://a.test:{}{GOOD}", server.address().port());
    let http = server.url_for("a.test", GOOD);
    // The server waits for the end of what it takes for a request.
    let stage = Stage::with(std::slice::from_ref(&http), |config| {
        config.url_scope.timeout_seconds = 1
    });
    stage.refuses(&https, ErrorKind::Deadline, &["the TLS handshake with https://a.test:"]);
    assert!(server.recorder().requests().is_empty());
    stage.is_well_at(&http);
}

#[test]
fn n15_a_body_that_is_cut_inside_tls_is_not_taken_for_whole() {
    let partial =
        || Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nabc".to_vec());
    let authority = Authority::new();
    let pages = vec![
        ("/close", vec![partial(), Step::Close]),
        ("/cut", vec![partial(), Step::Cut]),
        (
            "/reset",
            vec![
                partial(),
                Step::Wait(std::time::Duration::from_millis(100)),
                Step::Reset,
            ],
        ),
    ];
    let server = ScriptServer::tls(&authority.certificate(&["a.test"]), answering(pages));
    let url = |path| server.url_for("a.test", path);
    let stage = Stage::believing(&[url("/")], authority.pem_file());
    assert_eq!(stage.page(&url("/close"))["body"], "abc");
    for path in ["/cut", "/reset"] {
        stage.refuses(
            &url(path),
            ErrorKind::Unavailable,
            &["body of https://a.test:", "cannot be read"],
        );
        stage.is_well_at(&url(GOOD));
    }
}
