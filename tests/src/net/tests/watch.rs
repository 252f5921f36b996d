//! The canary, the black hole and the webhook.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{connect, get_one};
use crate::net::{Authority, Blackhole, HookAnswer, HookServer, ScriptServer, listen_canary, scripts};

#[test]
fn a_canary_counts_exactly() {
    for address in ["127.0.0.2:0", "[::1]:0"] {
        let canary = listen_canary(address);
        assert_eq!(canary.connections_seen(), 0);
        assert_eq!(canary.connections_seen(), 0);
        for _ in 0..5 {
            TcpStream::connect(canary.address()).unwrap();
        }
        assert_eq!(canary.connections_seen(), 5);
        connect(canary.address()).read_to_end(&mut Vec::new()).unwrap();
        assert_eq!(canary.connections_seen(), 6);
    }
}

#[test]
fn a_canary_can_have_the_port_of_a_server_at_another_address() {
    let server = ScriptServer::start(|_| scripts::stall());
    let canary = listen_canary(("127.0.0.2", server.address().port()));
    connect(server.address());
    assert_eq!(canary.connections_seen(), 0);
}

#[test]
fn a_black_hole_neither_accepts_nor_refuses() {
    let hole = Blackhole::new();
    let begun = Instant::now();
    let error = TcpStream::connect_timeout(&hole.address(), Duration::from_millis(500)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(begun.elapsed() >= Duration::from_millis(500));
}

#[test]
fn a_webhook_gives_its_answers_in_turn() {
    let late = Duration::from_millis(100);
    let hook = HookServer::start([
        HookAnswer::new(429, "slow down").with_header("Retry-After", "7"),
        HookAnswer::new(500, "broken").after(late),
    ]);
    let mut stream = connect(hook.address());
    let (head, body) = get_one(&mut stream, "/1");
    assert!(
        head.starts_with("HTTP/1.1 429 ") && head.contains("\r\nRetry-After: 7\r\n"),
        "{head}"
    );
    assert_eq!(body, b"slow down");
    let begun = Instant::now();
    assert!(get_one(&mut stream, "/2").0.starts_with("HTTP/1.1 500 "));
    assert!(begun.elapsed() >= late);
    assert_eq!(get_one(&mut stream, "/3").1, b"ok");
    hook.push(HookAnswer::new(204, ""));
    let post = "POST /4 HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"text\":\"hi\"}";
    stream.write_all(post.as_bytes()).unwrap();
    assert!(super::read_head(&mut stream).starts_with("HTTP/1.1 204 "));
    let received = hook.received();
    assert_eq!(received.len(), 4);
    assert_eq!(received[3].json().unwrap()["text"], "hi");
    assert_eq!(received[0].json(), None);
}

#[test]
fn a_webhook_over_tls() {
    let authority = Authority::new();
    let hook = HookServer::tls(&authority.certificate(&["hooks.test"]), [HookAnswer::new(202, "taken")]);
    let mut stream = super::tls::tls_connect(hook.address(), &authority, "hooks.test").unwrap();
    assert_eq!(get_one(&mut stream, "/").1, b"taken");
    assert!(hook.url_for("hooks.test", "/x").starts_with("https://hooks.test:"));
}
