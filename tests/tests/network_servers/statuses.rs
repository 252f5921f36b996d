//! Answers that are no pages, and what in them concerns browsers only.

use serde_json::{Value, json};
use toolgate_tests::net::{listen_canary, scripts};

use crate::stage::{GOOD, Stage, site};

#[test]
fn every_status_is_a_result() {
    let server = site(vec![
        ("/204", scripts::no_content()),
        ("/304", scripts::not_modified()),
        ("/206", scripts::status(206, "part")),
        (
            "/401",
            scripts::answer(401, &[("WWW-Authenticate", "Basic realm=\"x\"")], "who?"),
        ),
        ("/404", scripts::status(404, "nothing here")),
        ("/407", scripts::status(407, "no proxy")),
        ("/429", scripts::answer(429, &[("Retry-After", "1")], "later")),
        ("/500", scripts::status(500, "broken")),
        ("/503", scripts::answer(503, &[("Retry-After", "0")], "busy")),
        ("/999", scripts::status(999, "odd")),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    let expected = [
        ("/204", ""),
        ("/304", ""),
        ("/206", "part"),
        ("/401", "who?"),
        ("/404", "nothing here"),
        ("/407", "no proxy"),
        ("/429", "later"),
        ("/500", "broken"),
        ("/503", "busy"),
        ("/999", "odd"),
    ];
    for (path, body) in expected {
        let url = server.url(path);
        let page = stage.page(&url);
        let status: u64 = path[1..].parse().unwrap();
        assert_eq!(
            (&page["status"], &page["body"]),
            (&status.into(), &body.into()),
            "{path}"
        );
        assert_eq!(
            (&page["bytes"], &page["truncated"]),
            (&body.len().into(), &false.into()),
            "{path}"
        );
        assert_eq!((&page["url"], &page["final_url"]), (&json!(url), &json!(url)), "{path}");
    }
    // Nothing is tried again, and one connection does for all.
    assert_eq!(server.recorder().requests().len(), expected.len());
    assert_eq!(server.recorder().connections().len(), 1);
}

#[test]
fn a_redirect_without_a_target_is_a_result() {
    let codes = [
        ("/301", 301),
        ("/302", 302),
        ("/303", 303),
        ("/307", 307),
        ("/308", 308),
    ];
    let mut pages: Vec<_> = codes
        .iter()
        .map(|(path, code)| (*path, scripts::status(*code, "nowhere")))
        .collect();
    // These name a target and are no redirects (RFC 9110, sections 15.3.2, 15.4.1 and 15.4.5).
    let named = [("/201", 201), ("/300", 300), ("/304", 304)];
    pages.extend(named.map(|(path, code)| (path, scripts::answer(code, &[("Location", GOOD)], ""))));
    let server = site(pages);
    let stage = Stage::new(&[server.url("/")]);
    for (path, code) in codes.into_iter().chain(named) {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["status"], &page["final_url"]),
            (&code.into(), &json!(server.url(path))),
            "{path}"
        );
        assert_eq!(page["truncated"], false, "{path}");
    }
    assert_eq!(stage.page(&server.url("/302"))["body"], "nowhere");
    assert!(!server.recorder().targets().contains(&GOOD.to_owned()));
}

#[test]
fn n01_refresh_is_not_followed() {
    let canary = listen_canary("127.0.0.1:0");
    let target = format!("http://{}/", canary.address());
    let server = site(vec![
        ("/header", scripts::refresh_header(&target)),
        ("/meta", scripts::meta_refresh(&target)),
    ]);
    // The target is in scope, so that only the client can be what does not go there.
    let stage = Stage::new(&[server.url("/"), target]);
    for path in ["/header", "/meta"] {
        for format in ["raw", "text", "markdown"] {
            let page = stage.page_with(json!({"url": server.url(path), "format": format}));
            assert_eq!(
                (&page["status"], &page["final_url"]),
                (&json!(200), &json!(server.url(path)))
            );
            assert!(page["body"].as_str().unwrap().contains("stay"), "{path} {format}");
        }
    }
    assert_eq!(canary.connections_seen(), 0);
}

#[test]
fn n09_cookies_are_neither_kept_nor_shown() {
    let cookie = [
        ("Content-Type", "text/plain"),
        ("Set-Cookie", "session=secret-1; Path=/"),
        ("Set-Cookie", "other=secret-2"),
        ("Set-Cookie2", "old=secret-3"),
        ("X-Shown", "yes"),
        ("Connection", "keep-alive"),
        ("Keep-Alive", "timeout=5"),
    ];
    let server = site(vec![("/cookie", scripts::answer(200, &cookie, "ok"))]);
    let stage = Stage::new(&[server.url("/")]);
    let url = server.url("/cookie");
    let report = stage.call("dial_fetch", json!({"url": url})).unwrap();
    let outcome = &report["outcomes"][0];
    assert_eq!(
        (&outcome["status"], &outcome["first"]),
        (&json!(200), &json!("ok")),
        "{report:?}"
    );
    let names: Vec<&str> = outcome["headers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|header| header["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["content-type", "x-shown", "content-length"]);
    let page = Value::Object(stage.page(&url));
    for shown in [&page, &Value::Object(report)] {
        assert!(!shown.to_string().contains("secret-"), "{shown}");
    }
    stage.is_well_at(&server.url(GOOD));
    for request in server.recorder().requests() {
        assert_eq!(request.header("cookie"), None);
    }
}
