//! N06: what a guest writes into a request arrives as one request, or not at all.

use serde_json::{Value, json};

use crate::stage::World;

const URL: &str = "http://granted.org/page";

/// Parts of a request that could end it early, or begin another one. The second request that they
/// hide is always for `/evil`.
fn attempts() -> Vec<Value> {
    let evil = "GET /evil HTTP/1.1\r\nHost: granted.org\r\n\r\n";
    let mut all = Vec::new();
    for path in [
        "http://other.org/evil",
        "https://other.org/evil",
        "other.org/evil",
        "//other.org/evil",
        "/\r\n\r\nGET /evil",
        "/page HTTP/1.1\r\nHost: other.org\r\n\r\nGET /evil",
        "/a b",
        "/a\tb",
        "/\0",
        "/\u{7f}",
        "/\u{85}",
        "/é",
        "/a#b",
        "*",
        "",
        "?x",
        "/../../up",
        "/%0d%0aGET%20/x",
    ] {
        all.push(json!({"path": path}));
    }
    for name in [
        "host",
        "Host",
        "content-length",
        "transfer-encoding",
        "te",
        "trailer",
        "connection",
        "upgrade",
    ] {
        for value in [
            "other.org",
            "0",
            "5",
            "chunked",
            "identity, chunked",
            "\tchunked",
            "trailers",
            "x, keep-alive",
        ] {
            let header = json!({"name": name, "value": value});
            all.push(json!({"headers": [header]}));
            all.push(json!({"method": "POST", "body": evil, "headers": [header]}));
        }
    }
    for name in [
        "keep-alive",
        "proxy-connection",
        "proxy-authorization",
        "http2-settings",
        "expect",
    ] {
        all.push(json!({"method": "POST", "body": "x", "headers": [{"name": name, "value": "100-continue"}]}));
    }
    for (name, value) in [
        ("x", "y\r\nHost: other.org"),
        ("x", "y\r\n\r\nGET /evil HTTP/1.1"),
        ("x", "y\n"),
        ("x", "y\0"),
        ("x\r\nHost", "other.org"),
        ("x: y\r\nHost", "other.org"),
        ("x ", "y"),
        (" x", "y"),
        ("content-length ", "0"),
        ("transfer-encoding\0", "chunked"),
        ("", "y"),
        (":path", "/evil"),
    ] {
        let header = json!({"name": name, "value": value});
        all.push(json!({"headers": [header]}));
        all.push(json!({"method": "POST", "body": evil, "trailers": [header]}));
    }
    // Lengths that differ from what is written, and from each other.
    for lengths in [
        &["0"][..],
        &["1"],
        &["1000"],
        &["+4"],
        &["-1"],
        &["0x4"],
        &["4, 4"],
        &["4", "4"],
        &["4", "5"],
        &["18446744073709551616"],
        &[" 4"],
        &[""],
    ] {
        let headers: Vec<Value> = lengths
            .iter()
            .map(|length| json!({"name": "content-length", "value": length}))
            .collect();
        all.push(json!({"headers": headers}));
        for body in ["four", evil] {
            all.push(json!({"method": "POST", "body": body, "headers": headers}));
        }
        let mut both = headers.clone();
        both.push(json!({"name": "transfer-encoding", "value": "chunked"}));
        all.push(json!({"method": "POST", "body": evil, "headers": both}));
    }
    for trailer in ["host", "content-length", "transfer-encoding", "authorization", "x-evil"] {
        let trailers = json!([{"name": trailer, "value": "0"}]);
        all.push(json!({"method": "POST", "body": evil, "trailers": trailers}));
        let announced = json!([{"name": "trailer", "value": trailer}]);
        all.push(json!({"method": "POST", "body": evil, "trailers": trailers, "headers": announced}));
    }
    // What looks like chunks, in a body that is one.
    all.push(json!({"method": "POST", "body": format!("0\r\n\r\n{evil}")}));
    all.push(json!({"method": "GET", "body": evil}));
    all.push(json!({"method": "HEAD", "body": evil}));
    all.push(json!({"method": "POST", "body": evil, "unfinished": true}));
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn n06_a_request_is_one_request() {
    if !crate::namespace::entered(module_path!(), "n06_a_request_is_one_request") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let mut config = world.config(&["http://*:*"], &[]);
    config.url_scope.timeout_seconds = 3;
    config.tools.network = [("dial_http".to_owned(), vec!["http://granted.org".to_owned()])].into();
    let stage = world.stage(config);
    let to = format!("{}:80", world.names.of("granted.org"));
    let mut sent = 0;
    for attempt in attempts() {
        let mut arguments = attempt.clone();
        arguments["url"] = URL.into();
        let report = stage.dial("dial_http", arguments).await;
        let seen = world.seen();
        assert!(seen.connects.iter().all(|at| *at == to), "{attempt}: {seen:?}");
        assert!(
            seen.asked.iter().all(|name| name == "granted.org"),
            "{attempt}: {seen:?}"
        );
        assert!(seen.arrived.len() <= 1, "{attempt}: {seen:?} {report}");
        for arrived in &seen.arrived {
            sent += 1;
            let request = &arrived.request;
            let hosts: Vec<_> = request.headers_named("host").collect();
            assert_eq!(hosts, ["granted.org"], "{attempt}");
            assert!(request.target.starts_with('/'), "{attempt}: {request:?}");
            for name in [
                "te",
                "trailer",
                "upgrade",
                "connection",
                "keep-alive",
                "proxy-authorization",
                "http2-settings",
            ] {
                assert_eq!(request.header(name), None, "{attempt}");
            }
            let lengths = request.headers_named("content-length").count();
            let chunked: Vec<_> = request.headers_named("transfer-encoding").collect();
            assert!(lengths + chunked.len() <= 1, "{attempt}: one framing: {request:?}");
            assert!(
                chunked.iter().all(|value| *value == "chunked"),
                "{attempt}: {request:?}"
            );
            // What the guest could not set is told to it.
            let outcome = &report["outcomes"][0];
            // A body of a GET that says nothing of its length is left out.
            if request.body.is_empty() && attempt["body"].is_string() && request.method == "POST" {
                assert!(
                    outcome["refused"] != json!([]) || outcome["faults"] != json!([]),
                    "{attempt}: {report}"
                );
            }
        }
    }
    assert!(sent > 20, "most attempts leave a plain request, {sent} did");
    let sound = stage
        .dial("dial_http", json!({"url": URL, "method": "POST", "body": "b"}))
        .await;
    assert_eq!(sound["counts"], json!({"200": 1}), "{sound}");
    // Nothing but those requests came over any connection; the last may have broken off.
    let requests = world.servers.plain().requests();
    for (number, connection) in world.servers.plain().connections().iter().enumerate() {
        let of_connection = requests.iter().filter(|request| request.connection == number);
        let whole: Vec<u8> = of_connection.flat_map(|request| request.raw.clone()).collect();
        let rest = connection.received.strip_prefix(&whole[..]).unwrap();
        let begun = |method: &[u8]| rest.starts_with(&[method, b" /page HTTP/1.1\r\n"].concat());
        assert!(
            rest.is_empty() || begun(b"POST") || begun(b"GET"),
            "{:?}",
            String::from_utf8_lossy(rest)
        );
    }
    assert!(requests.iter().all(|request| request.target != "/evil"), "{requests:?}");
}
