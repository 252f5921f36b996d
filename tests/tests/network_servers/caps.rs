//! What `fetch_url` returns of a body: how much, in which form, and what it says about the rest.

use serde_json::{Value, json};
use toolgate::ErrorKind;
use toolgate_tests::net::scripts;

use crate::stage::{Stage, site};

#[test]
fn the_lower_of_both_limits_applies_and_none_is_the_configured_one() {
    let body = "0123456789".repeat(100);
    let server = site(vec![
        ("/declared", scripts::ok(&body, "text/plain")),
        ("/chunked", scripts::ok_chunked(&body, "text/plain", 7)),
    ]);
    let stage = Stage::with(&[server.url("/")], |config| config.url_scope.max_body_bytes = 500);
    for (path, total) in [("/declared", Some(1000)), ("/chunked", None)] {
        for (asked, returned) in [
            (None, 500),
            (Some(i64::MIN), 500),
            (Some(0), 500),
            (Some(1), 1),
            (Some(499), 499),
            (Some(500), 500),
            (Some(501), 500),
            (Some(1_000_000_000), 500),
            (Some(i64::MAX), 500),
        ] {
            let mut arguments = json!({"url": server.url(path)});
            if let Some(asked) = asked {
                arguments["max_bytes"] = asked.into();
            }
            let page = stage.page_with(arguments);
            assert_eq!(page["body"], body[..returned], "{path} {asked:?}");
            assert_eq!((&page["bytes"], &page["truncated"]), (&returned.into(), &true.into()));
            assert_eq!(page.get("total_bytes").and_then(Value::as_u64), total, "{path}");
        }
    }
}

#[test]
fn a_body_of_exactly_the_limit_is_whole() {
    let body = "0123456789".repeat(50);
    let server = site(vec![
        ("/declared", scripts::ok(&body, "text/plain")),
        ("/chunked", scripts::ok_chunked(&body, "text/plain", 100)),
        ("/gzip", scripts::gzip_ok(&body)),
    ]);
    let stage = Stage::with(&[server.url("/")], |config| config.url_scope.max_body_bytes = 500);
    for path in ["/declared", "/chunked", "/gzip"] {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["body"], &page["truncated"]),
            (&body.as_str().into(), &false.into()),
            "{path}"
        );
        assert_eq!(page["bytes"], 500, "{path}");
    }
    // Whole bodies leave their connection in order.
    assert_eq!(server.recorder().connections().len(), 1);
}

#[test]
fn limits_that_are_no_integers_are_refused_before_any_request() {
    let server = site(Vec::new());
    let url = server.url("/good");
    let stage = Stage::new(std::slice::from_ref(&url));
    for bytes in [json!(1.5), json!("many"), json!([1])] {
        let called = stage.call("fetch_url", json!({"url": url, "max_bytes": bytes}));
        let error = called.unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidArguments, "{bytes}: {error}");
        assert!(error.message.contains("max_bytes"), "{bytes}: {error}");
    }
    assert!(server.recorder().connections().is_empty());
}

#[test]
fn binary_content_is_left_out_and_counted() {
    let bytes = vec![0x89; 700];
    let server = site(vec![
        ("/png", scripts::ok(&bytes, "image/png")),
        ("/small", scripts::ok(&bytes[..3], "application/octet-stream")),
    ]);
    let stage = Stage::with(&[server.url("/")], |config| config.url_scope.max_body_bytes = 500);
    for (path, read, total) in [("/png", 500, 700), ("/small", 3, 3)] {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["body"], &page["body_omitted"]),
            (&"".into(), &"binary".into()),
            "{path}"
        );
        assert_eq!(
            (&page["bytes"], &page["total_bytes"]),
            (&read.into(), &total.into()),
            "{path}"
        );
        assert_eq!(page["truncated"], true, "{path}");
    }
}

#[test]
fn each_format_end_to_end() {
    let html = "<!doctype html><title>A &amp; B</title><h1>Head</h1><p>One <a href=\"/two\">two</a>.</p>\
                <ul><li>x</li></ul><script>evil()</script>";
    let server = site(vec![("/page", scripts::ok(html, "text/html; charset=utf-8"))]);
    let url = server.url("/page");
    let stage = Stage::new(std::slice::from_ref(&url));
    let raw = stage.page_with(json!({"url": url, "format": "raw"}));
    assert_eq!(
        (&raw["body"], raw.get("format"), raw.get("title")),
        (&html.into(), None, None)
    );
    let text = stage.page_with(json!({"url": url, "format": "text"}));
    let body = text["body"].as_str().unwrap();
    assert!(body.contains("Head") && body.contains("One two."), "{body}");
    let markdown = stage.page_with(json!({"url": url, "format": "markdown"}));
    let body = markdown["body"].as_str().unwrap();
    let link = format!("[two]({})", server.url("/two"));
    assert!(body.contains("# Head") && body.contains(&link), "{body}");
    for (page, format) in [(&text, "text"), (&markdown, "markdown")] {
        assert_eq!((&page["format"], &page["title"]), (&format.into(), &"A & B".into()));
        let body = page["body"].as_str().unwrap();
        assert!(!body.contains("evil") && !body.contains('<'), "{body}");
        assert_eq!(
            (&page["bytes"], &page["truncated"]),
            (&body.len().into(), &false.into())
        );
        assert_eq!(page["total_bytes"], html.len());
    }
    let error = stage
        .call("fetch_url", json!({"url": url, "format": "pdf"}))
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidArguments, "{error}");
}
