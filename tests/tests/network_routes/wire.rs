//! A request as it arrives: one, whole, and with nothing in it that nobody asked for.

use toolgate::ErrorKind;
use toolgate_tests::net::{RawServer, Script, ScriptServer, Step, scripts};

use crate::stage::{Stage, echo, pinned};

const AGENT: &str = concat!("toolgate/", env!("CARGO_PKG_VERSION"));

#[tokio::test]
async fn n06_exactly_one_request_with_exactly_these_lines() {
    let script: Script = scripts::ok("fine", "text/plain");
    let server = RawServer::start([script, vec![Step::Close]].concat());
    let place = server.address();
    let stage = Stage::allowing(&[&format!("http://{place}")]);
    assert_eq!(stage.body(&format!("http://{place}/a/b?c=d&e#f?g")).await, "fine");
    let seen = server.recorder().wait_for_end(1, crate::stage::PATIENCE);
    let text = String::from_utf8(seen[0].received.clone()).unwrap();
    let mut lines = text.strip_suffix("\r\n\r\n").unwrap().split("\r\n");
    assert_eq!(lines.next(), Some("GET /a/b?c=d&e HTTP/1.1"));
    let mut lines: Vec<String> = lines
        .map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            format!("{}: {value}", name.to_ascii_lowercase())
        })
        .collect();
    lines.sort();
    let expected = [
        "accept-encoding: gzip, br, deflate".to_owned(),
        "accept: */*".to_owned(),
        format!("host: {place}"),
        format!("user-agent: {AGENT}"),
    ];
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn n05_paths_and_queries_arrive_as_they_were_judged() {
    let server = ScriptServer::start(echo);
    let stage = Stage::allowing(&[&server.url("")]);
    let cases = [
        ("", "/"),
        ("/", "/"),
        ("?q", "/?q"),
        ("#part", "/"),
        ("/a//b/", "/a//b/"),
        ("/a/./b/../c", "/a/c"),
        ("/../../etc/passwd", "/etc/passwd"),
        ("/%2e%2E/x", "/x"),
        ("/%2f%2F", "/%2f%2F"),
        ("/%7e~", "/%7e~"),
        ("/a;b=c,d:e@f$g!h'i(j)*k+l", "/a;b=c,d:e@f$g!h'i(j)*k+l"),
        ("/\u{e9}\u{1f600}", "/%C3%A9%F0%9F%98%80"),
        ("/\"<>`{}", "/%22%3C%3E%60%7B%7D"),
        ("/a\\b", "/a/b"),
        ("/x?a=b&c=d&a=b&&", "/x?a=b&c=d&a=b&&"),
        ("/x?", "/x?"),
        ("/x??y", "/x??y"),
        ("/x?a=/../b", "/x?a=/../b"),
        ("/x?\u{e9}\"<>'", "/x?%C3%A9%22%3C%3E%27"),
        ("/x?http://evil.test/", "/x?http://evil.test/"),
        ("/http://evil.test/", "/http://evil.test/"),
        ("/x?a#b?c#d", "/x?a"),
        ("/%", "/%"),
        ("/%00%0d%0a%20", "/%00%0d%0a%20"),
    ];
    for (written, arrived) in cases {
        let url = server.url(written);
        let page = stage
            .fetch(&url)
            .await
            .unwrap_or_else(|error| panic!("{written}: {error:?}"));
        assert_eq!(page["body"], arrived, "{written}");
        assert_eq!(page["final_url"], server.url(arrived), "{written}");
        assert_eq!(page["url"], url, "{written}");
    }
    assert_eq!(server.recorder().requests().len(), cases.len());
}

#[tokio::test]
async fn n06_breaks_blanks_and_controls_are_refused_before_anything_is_sent() {
    let server = ScriptServer::start(echo);
    let stage = Stage::allowing(&[&server.url("")]);
    for text in [
        "/a b",
        "/a\tb",
        "/a\r\nX-Injected: 1",
        "/a\nb",
        "/a\0b",
        "/a\u{1b}[31m",
        "/a\u{7f}",
        "/a HTTP/1.1\r\nHost: evil.test\r\n\r\nGET /b",
    ] {
        let message = stage
            .refused(&server.url(text), ErrorKind::InvalidArguments, &["byte"])
            .await;
        assert!(!message.contains(['\r', '\n', '\0', '\u{1b}', '\u{7f}']), "{message:?}");
    }
    let long = server.url(&format!("/{}", "x".repeat(8192)));
    stage.refused(&long, ErrorKind::InvalidArguments, &["8192"]).await;
    assert!(server.recorder().connections().is_empty());
}

#[tokio::test]
async fn the_host_header_is_the_host_as_judged() {
    let four = ScriptServer::start(echo);
    let six = ScriptServer::start_at("[::1]:0", echo);
    let (port, port_of_six) = (four.address().port(), six.address().port());
    let stage = Stage::new(|config| {
        config.url_scope.allow = vec![
            four.url(""),
            six.url(""),
            pinned("a.test", four.address()),
            pinned("b\u{fc}cher.test", four.address()),
            pinned("under_score.test", four.address()),
        ];
    });
    let cases = [
        (format!("http://127.0.0.1:{port}/"), format!("127.0.0.1:{port}"), &four),
        (
            format!("http://[::1]:{port_of_six}/"),
            format!("[::1]:{port_of_six}"),
            &six,
        ),
        (
            format!("http://[0:0::0:1]:{port_of_six}/"),
            format!("[::1]:{port_of_six}"),
            &six,
        ),
        (format!("HTTP://A.Test:{port}/"), format!("a.test:{port}"), &four),
        (format!("http://a.test.:{port}/"), format!("a.test:{port}"), &four),
        (format!("http://a.test:0{port}/"), format!("a.test:{port}"), &four),
        (
            format!("http://B\u{dc}CHER.test:{port}/"),
            format!("xn--bcher-kva.test:{port}"),
            &four,
        ),
        (format!("http://\u{ff41}.test:{port}/"), format!("a.test:{port}"), &four),
        (
            format!("http://under_score.test:{port}/"),
            format!("under_score.test:{port}"),
            &four,
        ),
    ];
    for (url, host, server) in cases {
        let page = stage
            .fetch(&url)
            .await
            .unwrap_or_else(|error| panic!("{url}: {error:?}"));
        let request = server.recorder().requests().pop().unwrap();
        assert_eq!(
            request.headers_named("host").collect::<Vec<_>>(),
            [host.as_str()],
            "{url}"
        );
        assert_eq!(page["final_url"], format!("http://{host}/"), "{url}");
        assert_eq!(request.header("user-agent"), Some(AGENT));
    }
}

#[tokio::test]
async fn credentials_in_the_url_of_a_call_are_refused_unseen() {
    let server = ScriptServer::start(echo);
    let place = server.address();
    let stage = Stage::allowing(&[&server.url("")]);
    for url in [
        format!("http://user:hunter2@{place}/"),
        format!("http://hunter2@{place}/"),
        format!("http://:hunter2@{place}/"),
        format!("http://@{place}/"),
    ] {
        let message = stage.refused(&url, ErrorKind::InvalidArguments, &["credentials"]).await;
        assert!(!message.contains("hunter2"), "{message}");
    }
    assert!(server.recorder().connections().is_empty());
}
