//! N06: `toolgate:plugin/fetch` with numbers that were not granted and headers that are not for tools.

use serde_json::{Value, json};

use crate::stage::{World, is_unanswered};

/// A header of a test.
fn header(name: &str, value: impl Into<String>) -> Value {
    json!({"name": name, "value": value.into()})
}

#[tokio::test(flavor = "multi_thread")]
async fn n06_only_granted_numbers_lead_anywhere() {
    if !crate::namespace::entered(module_path!(), "n06_only_granted_numbers_lead_anywhere") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let stage = world.stage(world.config(&["http://*"], &[]));
    let granted = json!({"url": "http://one.org/1", "also": ["http://two.org/2"]});
    for number in [2, 3, 16, 1 << 16, u32::MAX] {
        let mut arguments = granted.clone();
        arguments["number"] = number.into();
        let report = stage.dial("dial_fetch", arguments).await;
        let failure = &report["outcomes"][0]["failure"];
        assert_eq!(failure["kind"], "denied", "{number}: {report}");
        let message = failure["message"].as_str().unwrap();
        assert!(
            message.contains("was granted 2 URLs") && message.contains(&number.to_string()),
            "{message}"
        );
        world.is_silent(&format!("number {number}"));
    }
    for (number, host) in [(1, "two.org"), (0, "one.org")] {
        let mut arguments = granted.clone();
        arguments["number"] = number.into();
        let report = stage.dial("dial_fetch", arguments).await;
        assert_eq!(report["counts"], json!({"200": 1}), "{report}");
        let seen = world.seen();
        assert_eq!(seen.asked, [host]);
        assert_eq!(seen.connects, [format!("{}:80", world.names.of(host))]);
        assert_eq!(seen.arrived.len(), 1);
    }
    for number in [0, 1, u32::MAX] {
        let arguments = json!({"url": "http://one.org/1", "number": number, "parallel": 8});
        let report = stage.dial("dial_any", arguments).await;
        assert_eq!(report["counts"], json!({"denied": 8}), "{report}");
        world.is_silent("without a declared access, a URL is no URL");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n06_tools_set_three_headers_and_no_other() {
    if !crate::namespace::entered(module_path!(), "n06_tools_set_three_headers_and_no_other") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let stage = world.stage(world.config(&["http://*"], &[]));
    let url = "http://one.org/a?b=c";
    let mut refused: Vec<Value> = [
        "host",
        "Host",
        "authorization",
        "cookie",
        "te",
        "transfer-encoding",
        "content-length",
        "connection",
        "upgrade",
        "expect",
        "trailer",
        "referer",
        "origin",
        "user-agent",
        "accept-encoding",
        "proxy-authorization",
        "x-forwarded-for",
        "x-aws-ec2-metadata-token",
        "metadata-flavor",
        "if-none-match",
        "",
        " ",
        ":authority",
        ":path",
        "accept ",
        " accept",
        "accept:",
        "accept\r\nx",
        "accept\0",
        "äccept",
    ]
    .iter()
    .map(|name| header(name, "1"))
    .collect();
    for value in [
        "a\r\nx: y",
        "a\n\nGET / HTTP/1.1",
        "a\rb",
        "a\0b",
        "\u{7f}",
        "\u{1b}[0m",
    ] {
        refused.extend(["accept", "accept-language", "range"].map(|name| header(name, value)));
    }
    refused.push(header("accept", "a".repeat(4097)));
    for header in refused {
        let arguments = json!({"url": url, "headers": [{"name": "accept", "value": "text/html"}, header]});
        let report = stage.dial("dial_fetch", arguments).await;
        assert!(is_unanswered(&report), "{header}: {report}");
        assert_eq!(report["counts"], json!({"invalid": 1}), "{header}: {report}");
        world.is_silent(&header.to_string());
    }
    let headers = [
        header("Accept", "text/html"),
        header("accept-language", "de"),
        header("Range", "bytes=0-9"),
    ];
    let report = stage.dial("dial_fetch", json!({"url": url, "headers": headers})).await;
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
    let agent = concat!("toolgate/", env!("CARGO_PKG_VERSION"));
    let arrived = world.seen().arrived;
    let [arrived] = &arrived[..] else { panic!("{arrived:?}") };
    let raw = String::from_utf8(arrived.request.raw.clone()).unwrap();
    let (first, rest) = raw.split_once("\r\n").unwrap();
    assert_eq!(first, "GET /a?b=c HTTP/1.1");
    let mut lines: Vec<&str> = rest.trim_end().split("\r\n").collect();
    lines.sort_unstable();
    let agent = format!("user-agent: {agent}");
    let expected = [
        "accept-encoding: identity",
        "accept-language: de",
        "accept: text/html",
        "host: one.org",
        "range: bytes=0-9",
        &agent,
    ];
    assert_eq!(lines, expected, "nothing else is sent");
}
