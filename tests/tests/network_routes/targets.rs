//! Targets of redirects that are not gone to: the error says which hop, and where it led.

use std::net::SocketAddr;

use toolgate::ErrorKind;
use toolgate_tests::net::{DnsServer, RawServer, ScriptServer, Step, listen_canary, scripts};

use crate::stage::{Stage, echo, owned};

/// A server that redirects `/NUMBER` to the location of that number.
fn redirecting(locations: Vec<String>) -> ScriptServer {
    ScriptServer::start(move |request| match request.path()[1..].parse::<usize>() {
        Ok(number) => scripts::redirect(302, &locations[number]),
        Err(_) => echo(request),
    })
}

fn at(canary: SocketAddr, text: &str) -> String {
    text.replace("PORT", &canary.port().to_string())
}

#[tokio::test]
async fn n01_no_redirect_leads_to_an_address_that_needs_an_entry_of_its_own() {
    let second = listen_canary("127.0.0.2:0");
    let six = listen_canary("[::1]:0");
    let other = listen_canary("127.0.0.1:0");
    let (two, v6, one) = (second.address(), six.address(), other.address());
    let cases = [
        ("http://169.254.169.254/latest/meta-data/".to_owned(), "169.254.169.254"),
        ("http://[fd00:ec2::254]/latest/".to_owned(), "fd00:ec2::254"),
        ("//169.254.169.254/".to_owned(), "169.254.169.254"),
        (
            "http://metadata.google.internal/".to_owned(),
            "metadata.google.internal",
        ),
        (at(two, "http://127.0.0.2:PORT/"), "127.0.0.2"),
        (at(two, "//127.0.0.2:PORT/x"), "127.0.0.2"),
        (at(two, "http://[::ffff:127.0.0.2]:PORT/"), "[::ffff:7f00:2]"),
        (at(two, "http://[::127.0.0.2]:PORT/"), "[::7f00:2]"),
        (at(two, "http://[64:ff9b::7f00:2]:PORT/"), "64:ff9b::7f00:2"),
        (at(two, "http://[2002:7f00:2::]:PORT/"), "2002:7f00:2::"),
        (at(two, "http://2130706434:PORT/"), "127.0.0.2"),
        (at(two, "http://0x7f.2:PORT/"), "127.0.0.2"),
        (at(two, "http://0177.0.0.2:PORT/"), "127.0.0.2"),
        (at(two, "http://127.2:PORT/"), "127.0.0.2"),
        (at(two, "http://\u{2460}\u{2461}\u{2466}.0.0.2:PORT/"), "127.0.0.2"),
        (at(v6, "http://[::1]:PORT/"), "[::1]"),
        (at(v6, "http://[0:0:0:0:0:0:0:1]:PORT/"), "[::1]"),
        (at(v6, "http://[::1%25lo]:PORT/"), "zone"),
        (at(v6, "http://[::1%lo]:PORT/"), "zone"),
        (at(v6, "http://[fe80::1%25lo]:PORT/"), "zone"),
        (at(one, "http://127.0.0.1:PORT/"), "127.0.0.1"),
        (at(one, "http://localhost:PORT/"), "localhost"),
        (at(one, "http://x.localhost:PORT/"), "x.localhost"),
        (at(one, "http://0.0.0.0:PORT/"), "0.0.0.0"),
        (at(v6, "http://[::]:PORT/"), "[::]"),
    ];
    let server = redirecting(cases.iter().map(|(location, _)| location.clone()).collect());
    let dns = DnsServer::table(&[]);
    // Every host is in scope, so that only the guard of addresses stands in the way.
    let open = Stage::asking(&dns, &[&server.url(""), "http://*:*"]);
    let closed = Stage::asking(&dns, &[&server.url("")]);
    for (number, (_, named)) in cases.iter().enumerate() {
        let url = server.url(&format!("/{number}"));
        let words = ["redirect 1", named];
        let message = open.refused(&url, ErrorKind::Denied, &words).await;
        assert!(!message.contains("latest"), "no path in messages: {message}");
        closed.refused(&url, ErrorKind::Denied, &["redirect 1"]).await;
    }
    for canary in [&second, &six, &other] {
        assert_eq!(canary.connections_seen(), 0, "{}", canary.address());
    }
    assert_eq!(server.recorder().requests().len(), 2 * cases.len());
    assert_eq!(dns.names(), [""; 0]);
}

#[tokio::test]
async fn r31_n14_no_redirect_leads_to_another_scheme_or_to_no_url() {
    let canary = listen_canary("127.0.0.2:0");
    let two = canary.address();
    let cases = [
        ("file:///etc/passwd".to_owned(), "\"file\""),
        ("file:/etc/passwd".to_owned(), "\"file\""),
        ("FILE://localhost/etc/passwd".to_owned(), "\"FILE\""),
        (at(two, "ftp://127.0.0.2:PORT/x"), "\"ftp\""),
        (at(two, "gopher://127.0.0.2:PORT/_x"), "\"gopher\""),
        (at(two, "ws://127.0.0.2:PORT/"), "\"ws\""),
        ("javascript:alert(1)".to_owned(), "\"javascript\""),
        ("data:text/html,x".to_owned(), "\"data\""),
        (at(two, "blob:http://127.0.0.2:PORT/x"), "\"blob\""),
        (at(two, "jar:http://127.0.0.2:PORT/x!/y"), "\"jar\""),
        (at(two, "view-source:http://127.0.0.2:PORT/"), "\"view-source\""),
        (at(two, "http:/127.0.0.2:PORT/"), "names no host"),
        (at(two, "http:127.0.0.2:PORT/"), "names no host"),
        ("http:///x".to_owned(), "names no host"),
        ("///x".to_owned(), "names no host"),
        (at(two, "/\\127.0.0.2:PORT/"), "backslash"),
        (at(two, "\\\\127.0.0.2:PORT/"), "backslash"),
        (at(two, "http://127.0.0.1\\@127.0.0.2:PORT/"), "backslash"),
        ("http://127.0.0.2:99999/".to_owned(), "99999"),
        ("http://127.0.0.2:0/".to_owned(), "0"),
        ("http://127.0.0.2:x/".to_owned(), "\"x\""),
        ("http://a..test/".to_owned(), "empty part"),
        ("/with a blank".to_owned(), "%20"),
        ("/with\ta tab".to_owned(), "'\\t'"),
        (format!("/{}", "x".repeat(9000)), "longer than"),
    ];
    let server = redirecting(cases.iter().map(|(location, _)| location.clone()).collect());
    let stage = Stage::allowing(&[&server.url(""), "http://*:*", "*:*"]);
    for (number, (location, named)) in cases.iter().enumerate() {
        let url = server.url(&format!("/{number}"));
        let message = stage.refused(&url, ErrorKind::Denied, &["redirect 1", named]).await;
        assert!(
            !message.contains("passwd") && message.len() < 1000,
            "{location}: {message}"
        );
    }
    assert_eq!(canary.connections_seen(), 0);
    assert_eq!(server.recorder().requests().len(), cases.len());
}

#[tokio::test]
async fn credentials_in_a_location_are_refused_and_not_repeated() {
    let canary = listen_canary("127.0.0.2:0");
    let two = canary.address();
    let locations = [
        at(two, "http://user:hunter2@127.0.0.2:PORT/"),
        at(two, "http://hunter2@127.0.0.2:PORT/"),
        at(two, "//:hunter2@127.0.0.2:PORT/"),
        at(two, "http://@127.0.0.2:PORT/"),
        at(two, "http://hunter2%40x@127.0.0.2:PORT/"),
    ];
    let server = redirecting(locations.to_vec());
    let stage = Stage::allowing(&[&server.url(""), &at(two, "http://127.0.0.2:PORT")]);
    for number in 0..locations.len() {
        let url = server.url(&format!("/{number}"));
        let message = stage
            .refused(&url, ErrorKind::Denied, &["redirect 1", "credentials"])
            .await;
        assert!(!message.contains("hunter2"), "{message}");
    }
    assert_eq!(canary.connections_seen(), 0);
    assert!(!stage.log().contains("hunter2"));
}

#[tokio::test]
async fn n06_control_characters_in_a_location_never_reach_a_request() {
    // A line break in a value ends the header; what follows is another header, and nothing else.
    let location = "/next\r\nX-Injected: 1";
    let server = ScriptServer::start(move |request| match request.path() {
        "/break" => scripts::redirect(302, location),
        "/encoded" => scripts::redirect(302, "/next%0d%0aHost:%20evil.test%0d%0a%0d%0aGET%20/smuggled"),
        _ => echo(request),
    });
    let stage = Stage::allowing(&[&server.url("")]);
    assert_eq!(stage.body(&server.url("/break")).await, "/next");
    let encoded = "/next%0d%0aHost:%20evil.test%0d%0a%0d%0aGET%20/smuggled";
    assert_eq!(stage.body(&server.url("/encoded")).await, encoded);
    let requests = server.recorder().requests();
    assert_eq!(server.recorder().targets(), ["/break", "/next", "/encoded", encoded]);
    for request in &requests {
        assert_eq!(
            request.headers_named("host").collect::<Vec<_>>(),
            [server.address().to_string()]
        );
        assert_eq!(request.header("x-injected"), None);
    }
    for control in ["\r", "\0", "\u{1}", "\u{b}", "\u{7f}", "\r \r", "\n\0"] {
        let head = format!("HTTP/1.1 302 Found\r\nLocation: /next{control}Host: evil\r\nContent-Length: 0\r\n\r\n");
        let raw = RawServer::start(vec![Step::Send(head.into_bytes()), Step::Close]);
        let stage = Stage::allowing(&[&format!("http://{}", raw.address())]);
        let error = stage.fetch(&format!("http://{}/", raw.address())).await.unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Denied | ErrorKind::Unavailable),
            "{control:?}: {error:?}"
        );
        let seen = raw.recorder().connections();
        let heads: usize = seen
            .iter()
            .map(|one| one.received.windows(4).filter(|end| end == b"\r\n\r\n").count())
            .sum();
        assert_eq!(heads, 1, "{control:?}: {seen:?}");
    }
}

#[tokio::test]
async fn r30_another_host_or_port_needs_to_be_in_scope_and_every_hop_is_counted() {
    let canary = listen_canary("127.0.0.1:0");
    let out = format!("http://{}/out?token=hunter2", canary.address());
    let location = out.clone();
    let server = ScriptServer::start(move |request| match request.path() {
        "/hop/0" => scripts::redirect(308, &location),
        _ => scripts::redirect_chain(request),
    });
    let place = canary.address().to_string();
    let scoped = Stage::allowing(&[&server.url("")]);
    let denied = Stage::new(|config| {
        config.url_scope.allow = owned(&[&server.url(""), &format!("http://{place}")]);
        config.url_scope.deny = owned(&[&place]);
    });
    for (stage, rule) in [(&scoped, "url_scope.allow"), (&denied, "url_scope.deny[0]")] {
        for earlier in 0..5 {
            let hop = format!("redirect {}", earlier + 1);
            let words = [hop.as_str(), &place, rule];
            let url = server.url(&format!("/hop/{earlier}"));
            let message = stage.refused(&url, ErrorKind::Denied, &words).await;
            assert!(!message.contains("hunter2"), "{message}");
        }
        assert!(!stage.log().contains("hunter2"));
    }
    assert_eq!(canary.connections_seen(), 0);
}
