//! Proxies reach the one server that the test gave them.

use std::io::{Read, Write};

use super::{connect, get_one, read_head};
use crate::net::{Authority, HttpProxy, ScriptServer, SocksProxy, Target, Upstream, scripts};

fn upstream() -> ScriptServer {
    ScriptServer::start(|request| {
        let host = request.header("host").unwrap_or_default();
        scripts::ok(format!("{} at {host}", request.target), "text/plain")
    })
}

fn target(host: &str, port: u16, by_name: bool) -> Target {
    let host = host.to_owned();
    Target { host, port, by_name }
}

fn read_all(stream: &mut impl Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_absolute_form_is_forwarded_as_the_origin_form() {
    let server = upstream();
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let mut stream = connect(proxy.address());
    let head = "GET http://far.test:8080/p?q HTTP/1.1\r\nHost: far.test:8080\r\nProxy-Authorization: Basic x\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(read_all(&mut stream).ends_with("/p?q at far.test:8080"));
    assert_eq!(proxy.targets(), [target("far.test", 8080, true)]);
    assert_eq!(
        proxy.recorder().requests()[0].header("proxy-authorization"),
        Some("Basic x")
    );
    let forwarded = &server.recorder().requests()[0];
    assert_eq!(forwarded.header("proxy-authorization"), None);
    assert_eq!(forwarded.header("connection"), Some("close"));
}

#[test]
fn a_body_is_forwarded() {
    let server = upstream();
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let mut stream = connect(proxy.address());
    let head = "POST http://far.test HTTP/1.1\r\nHost: far.test\r\nContent-Length: 3\r\n\r\nabc";
    stream.write_all(head.as_bytes()).unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200"));
    let forwarded = &server.recorder().requests()[0];
    assert_eq!(
        (forwarded.target.as_str(), forwarded.body.as_slice()),
        ("/", b"abc".as_slice())
    );
    assert_eq!(proxy.targets(), [target("far.test", 80, true)]);
}

#[test]
fn a_tunnel_passes_bytes() {
    let server = upstream();
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let mut stream = connect(proxy.address());
    stream
        .write_all(b"CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 "));
    assert_eq!(get_one(&mut stream, "/in").1, b"/in at test");
    assert_eq!(proxy.targets(), [target("2001:db8::1", 443, false)]);
    assert!(
        proxy.recorder().connections()[0]
            .received
            .ends_with(b"GET /in HTTP/1.1\r\nHost: test\r\n\r\n")
    );
}

#[test]
fn refusals_and_unreachable_targets() {
    for (upstream, line) in [
        (Upstream::Refused(407), "HTTP/1.1 407 "),
        (Upstream::AsAsked, "HTTP/1.1 502 "),
    ] {
        let proxy = HttpProxy::start(upstream);
        let mut stream = connect(proxy.address());
        // An address reserved for documentation (RFC 5737), which is never dialled.
        stream.write_all(b"CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n").unwrap();
        assert!(read_all(&mut stream).starts_with(line));
        assert_eq!(proxy.targets().len(), 1);
    }
    let server = upstream();
    let proxy = HttpProxy::start(Upstream::AsAsked);
    let mut stream = connect(proxy.address());
    stream
        .write_all(format!("CONNECT {} HTTP/1.1\r\n\r\n", server.address()).as_bytes())
        .unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 "));
    assert_eq!(get_one(&mut stream, "/").1, b"/ at test");
}

#[test]
fn a_proxy_over_tls() {
    let server = upstream();
    let authority = Authority::new();
    let proxy = HttpProxy::tls(
        &authority.certificate(&["127.0.0.1"]),
        Upstream::Fixed(server.address()),
    );
    assert!(proxy.url().starts_with("https://127.0.0.1:"));
    let mut stream = super::tls::tls_connect(proxy.address(), &authority, "127.0.0.1").unwrap();
    stream.write_all(b"CONNECT far.test:80 HTTP/1.1\r\n\r\n").unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 "));
    assert_eq!(get_one(&mut stream, "/").1, b"/ at test");
}

#[test]
fn socks_by_name_and_by_address() {
    let server = upstream();
    let proxy = SocksProxy::start(Upstream::Fixed(server.address()));
    let name = b"\x05\x01\0\x03\x08far.test\x01\xbb";
    let four = b"\x05\x01\0\x01\x0a\x01\x02\x03\0\x50";
    let six = [b"\x05\x01\0\x04\xfd".as_slice(), &[0; 14], b"\x01\0\x50"].concat();
    for request in [name.as_slice(), four, &six] {
        let mut stream = connect(proxy.address());
        stream.write_all(&[5, 2, 0, 2]).unwrap();
        let mut choice = [0; 2];
        stream.read_exact(&mut choice).unwrap();
        assert_eq!(choice, [5, 0]);
        stream.write_all(request).unwrap();
        let mut reply = [0; 10];
        stream.read_exact(&mut reply).unwrap();
        assert_eq!(reply[..2], [5, 0]);
        assert_eq!(get_one(&mut stream, "/s").1, b"/s at test");
    }
    let expected = [
        target("far.test", 443, true),
        target("10.1.2.3", 80, false),
        target("fd00::1", 80, false),
    ];
    assert_eq!(proxy.targets(), expected);
    assert_eq!(proxy.url(), format!("socks5://{}", proxy.address()));
}

#[test]
fn socks_with_login_and_refusal() {
    let proxy = SocksProxy::with_login(Upstream::Refused(403));
    let mut stream = connect(proxy.address());
    stream.write_all(&[5, 1, 2]).unwrap();
    stream.write_all(b"\x01\x02me\x03pwd").unwrap();
    stream.write_all(b"\x05\x01\0\x03\x01a\0\x50").unwrap();
    let mut reply = [0; 6];
    stream.read_exact(&mut reply).unwrap();
    // The method, the accepted login, the general failure.
    assert_eq!(reply, [5, 2, 1, 0, 5, 1]);
    assert_eq!(proxy.logins(), [("me".to_owned(), "pwd".to_owned())]);
    let mut stream = connect(proxy.address());
    stream.write_all(&[5, 1, 0]).unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).unwrap();
    assert_eq!(reply, [5, 0xff]);
}
