//! `wasi:http` in the hands of a hostile guest: which requests it may send with which grants.

use serde_json::{Value, json};
use toolgate::{Config, ErrorKind};

use crate::stage::{Stage, World, is_unanswered};

/// The only host that `dial_http` is granted.
const GRANTED: &str = "http://granted.org/page";

/// A configuration with grants of their own for `dial_http`.
fn granting(world: &World, allow: &[&str], deny: &[&str], grants: Option<&[&str]>) -> Config {
    let mut config = world.config(allow, deny);
    config.tools.network.clear();
    if let Some(grants) = grants {
        let grants = grants.iter().map(|&grant| grant.to_owned()).collect();
        config.tools.network.insert("dial_http".to_owned(), grants);
    }
    config
}

/// Nothing leaves, and nothing is looked up.
async fn is_denied(stage: &Stage<'_>, tool: &str, arguments: Value) {
    let shown = format!("{tool} {arguments}");
    let report = stage.dial(tool, arguments).await;
    assert!(is_unanswered(&report), "{shown}: {report}");
    stage.world.is_silent(&shown);
}

/// One request, of this method and with this target, at the granted host.
async fn is_sent(stage: &Stage<'_>, tool: &str, arguments: Value, method: &str, target: &str) {
    let shown = format!("{tool} {arguments}");
    let report = stage.dial(tool, arguments).await;
    assert_eq!(report["outcomes"][0]["status"], 200, "{shown}: {report}");
    let seen = stage.world.seen();
    let to = stage.world.names.of("granted.org");
    assert!(
        seen.connects.iter().all(|at| *at == format!("{to}:80")),
        "{shown}: {seen:?}"
    );
    let [arrived] = &seen.arrived[..] else {
        panic!("{shown}: {seen:?}")
    };
    assert_eq!(arrived.to.ip(), to, "{shown}");
    assert_eq!(
        (arrived.request.method.as_str(), arrived.request.target.as_str()),
        (method, target),
        "{shown}"
    );
    assert_eq!(
        arrived.request.headers_named("host").collect::<Vec<_>>(),
        ["granted.org"],
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn n12_without_a_grant_no_request_is_made() {
    if !crate::namespace::entered(module_path!(), "n12_without_a_grant_no_request_is_made") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let allow = ["http://*:*"];
    for grants in [None, Some(&[][..])] {
        let stage = world.stage(granting(&world, &allow, &[], grants));
        for url in [
            GRANTED,
            "http://93.184.216.34/",
            "http://127.0.0.1/",
            "http://169.254.169.254/",
        ] {
            for method in ["GET", "HEAD", "POST"] {
                is_denied(
                    &stage,
                    "dial_http",
                    json!({"url": url, "method": method, "parallel": 4}),
                )
                .await;
            }
        }
        let report = stage.dial("dial_http", json!({"url": GRANTED})).await;
        assert_eq!(report["counts"], json!({"response:http_request_denied": 1}), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn n06_a_grant_for_one_host_is_for_no_other() {
    if !crate::namespace::entered(module_path!(), "n06_a_grant_for_one_host_is_for_no_other") {
        return;
    }
    let world = World::new(&["granted.org"], &[80, 443, 8080]).await;
    let stage = world.stage(granting(&world, &["http://*:*"], &[], Some(&["http://granted.org"])));
    let own = world.names.of("granted.org");
    for authority in [
        "other.org",
        "granted.org.other.org",
        "sub.granted.org",
        "granted.orgs",
        "granted.org:8080",
        "granted.org:22",
        "granted.org:0",
        "granted.org:65536",
        "granted.org:80:80",
        "granted.org:x",
        "other.org:80#granted.org",
        "granted.org@other.org",
        "other.org@granted.org",
        "user:pw@granted.org",
        "@granted.org",
        "granted.org..",
        "granted.org%2eother.org",
        "granted%2eorg",
        "granted.org\r\nHost: other.org",
        "granted.org/",
        "other.org/granted.org",
        "granted.org\\.other.org",
        "granted.org other.org",
        "granted.org\0.other.org",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "127.0.0.1",
        "169.254.169.254",
        "93.184.0.0",
        "*",
        "*.org",
        "",
    ] {
        is_denied(&stage, "dial_http", json!({"url": GRANTED, "authority": authority})).await;
    }
    // Not even under the address that the granted name has.
    is_denied(&stage, "dial_http", json!({"url": format!("http://{own}/")})).await;
    for scheme in ["ftp", "file", "ws", "gopher", "HTTPX", "javascript"] {
        is_denied(&stage, "dial_http", json!({"url": GRANTED, "scheme": scheme})).await;
    }
    let methods = [
        "CONNECT",
        "TRACE",
        "",
        "GET /",
        "G ET",
        "GET\r\nX: y\r\n",
        "GET\0",
        "GÉT",
    ];
    let schemes = ["", "http:", "http://evil.org/", "h ttp"];
    let broken = methods.iter().map(|method| ("method", method));
    for (part, value) in broken.chain(schemes.iter().map(|scheme| ("scheme", scheme))) {
        // What cannot be set is not: what is sent then is a plain request, over https without a scheme.
        let report = stage.dial("dial_http", json!({"url": GRANTED, part: value})).await;
        let unset = report["outcomes"][0]["refused"] == json!([part]);
        let seen = world.seen();
        assert_eq!(seen.arrived.len(), usize::from(unset), "{value:?}: {report} {seen:?}");
        for arrived in &seen.arrived {
            assert_eq!(arrived.to.ip(), own, "{value:?}: {seen:?}");
            let request = &arrived.request;
            assert_eq!(
                (request.method.as_str(), request.target.as_str()),
                ("GET", "/page"),
                "{value:?}"
            );
        }
    }
    for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"] {
        is_sent(
            &stage,
            "dial_http",
            json!({"url": GRANTED, "method": method}),
            method,
            "/page",
        )
        .await;
    }
    for authority in ["GRANTED.org", "granted.org.", "granted.org:80"] {
        is_sent(
            &stage,
            "dial_http",
            json!({"url": GRANTED, "authority": authority}),
            "GET",
            "/page",
        )
        .await;
    }
    // The grant is for both schemes, as an entry of url_scope would be.
    let report = stage.dial("dial_http", json!({"url": "https://granted.org/"})).await;
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
    let seen = world.seen();
    assert_eq!(seen.connects, [format!("{own}:443")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn deny_entries_and_deny_rules_win_over_grants() {
    if !crate::namespace::entered(module_path!(), "deny_entries_and_deny_rules_win_over_grants") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let deny = ["denied.org", "93.184.216.34", "*.below.org"];
    let mut config = granting(&world, &["http://*:*"], &deny, Some(&["http://*:*"]));
    config.permissions.deny = vec!["dial_http:http://granted.org/secret*".to_owned()];
    config.url_scope.headers = [("*".to_owned(), [("x-token".to_owned(), "$SECRET".to_owned())].into())].into();
    config.url_scope.headers_over_http = vec!["*".to_owned()];
    let stage = world.stage(config);
    for url in [
        "http://denied.org/",
        "http://DENIED.org.:80/",
        "http://93.184.216.34/",
        "http://[::ffff:93.184.216.34]/",
        "http://a.b.below.org/",
        "http://granted.org/secret",
        "http://granted.org/secret/deep?x",
        "http://granted.org/a/../secret",
        "http://granted.org/%2e/secret",
        "http://GRANTED.org:80/secret",
        "http://169.254.169.254/",
        "http://metadata.google.internal/",
        "http://127.0.0.1/",
    ] {
        is_denied(&stage, "dial_http", json!({"url": url})).await;
    }
    // A name that leads to a denied address.
    world.names.answer(|_| Some(vec!["93.184.216.34".parse().unwrap()]));
    let report = stage.dial("dial_http", json!({"url": GRANTED})).await;
    assert_eq!(report["counts"], json!({"response:http_request_denied": 1}), "{report}");
    let seen = world.seen();
    assert!(seen.connects.is_empty(), "{seen:?}");
    let own = world.names.of("granted.org");
    world.names.answer(move |_| Some(vec![own]));
    let report = stage.dial("dial_http", json!({"url": GRANTED})).await;
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
    let arrived = world.seen().arrived;
    // The operator's headers are for the host's own tools: a variable that is not set would stop them.
    assert_eq!(arrived[0].request.header("x-token"), None, "{arrived:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_granted_url_is_for_reading_and_for_nothing_beside_it() {
    if !crate::namespace::entered(module_path!(), "a_granted_url_is_for_reading_and_for_nothing_beside_it") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let stage = world.stage(granting(&world, &["http://*:*"], &[], None));
    let url = "http://granted.org/page?q";
    for method in ["GET", "HEAD"] {
        is_sent(
            &stage,
            "dial_http_url",
            json!({"url": url, "method": method}),
            method,
            "/page?q",
        )
        .await;
    }
    for method in [
        "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "CONNECT", "TRACE", "get",
    ] {
        is_denied(&stage, "dial_http_url", json!({"url": url, "method": method})).await;
        let body = json!({"url": url, "method": method, "body": "x"});
        is_denied(&stage, "dial_http_url", body).await;
    }
    for path in [
        "/",
        "/page",
        "/page?Q",
        "/page?q=",
        "/page/?q",
        "/other",
        "//granted.org/page?q",
        "/page%3fq",
    ] {
        is_denied(&stage, "dial_http_url", json!({"url": url, "path": path})).await;
    }
    for authority in ["other.org", "granted.org:81", "sub.granted.org", "user@granted.org"] {
        is_denied(&stage, "dial_http_url", json!({"url": url, "authority": authority})).await;
    }
    is_denied(&stage, "dial_http_url", json!({"url": url, "scheme": "https"})).await;
    // Spellings of the same URL are the same URL.
    for (part, value) in [("authority", "GRANTED.org"), ("path", "/x/../page?q")] {
        is_sent(
            &stage,
            "dial_http_url",
            json!({"url": url, part: value}),
            "GET",
            "/page?q",
        )
        .await;
    }
    // Not even with a method that is for reading is anything sent along.
    for method in ["GET", "HEAD"] {
        for headers in [json!([]), json!([{"name": "content-length", "value": "8"}])] {
            let arguments = json!({"url": url, "method": method, "body": "takeaway", "headers": headers});
            let report = stage.dial("dial_http_url", arguments).await;
            assert!(
                world.seen().arrived.iter().all(|one| one.request.body.is_empty()),
                "{report}"
            );
        }
    }
    for connection in world.servers.plain().connections() {
        let text = String::from_utf8_lossy(&connection.received).into_owned();
        assert!(!text.contains("takeaway"), "{text}");
    }
    let error = stage
        .call("dial_http_url", json!({"url": "http://169.254.169.254/"}))
        .await;
    assert_eq!(error.unwrap_err().kind, ErrorKind::Denied, "the gate stands before it");
}
