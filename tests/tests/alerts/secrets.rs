//! Paths of addresses, tokens, keys and passwords: no caller, no log and no audit log ever sees them.

use serde_json::json;
use tokio::net::TcpSocket;
use toolgate_tests::net::{Authority, HookAnswer, HookServer, Http2Server, HttpProxy, ScriptServer, Step};
use toolgate_tests::net::{Upstream, scripts};

use crate::stage::{Setup, Stage, fire, fire_with};

/// Everything that must not be seen. The last two are `joe:pa55-w0rd` in base64, and its unpadded start.
const SECRETS: [&str; 10] = [
    "s3cret-path",
    "s1g-query",
    "t0ken-bearer",
    "r0uting-key",
    "pa55-w0rd",
    "late-s3cret",
    "us3rinfo",
    "hooks.example",
    "am9lOnBhNTUtdzByZA==",
    "am9lOnBhNTUtdzByZA",
];

/// Fails if any of these texts, the log or the audit log knows a secret.
fn nobody_knows(stage: &Stage, heard: &[String]) {
    let (log, audit) = (stage.log.all(), stage.audit());
    for secret in SECRETS {
        for text in heard {
            assert!(!text.contains(secret), "{secret} was told: {text}");
        }
        let in_log: Vec<&str> = log.lines().filter(|line| line.contains(secret)).collect();
        assert!(in_log.is_empty(), "{secret} was logged: {in_log:?}");
        let recorded: Vec<&str> = audit.lines().filter(|line| line.contains(secret)).collect();
        assert!(recorded.is_empty(), "{secret} was recorded: {recorded:?}");
    }
}

/// A path and a query like those of real webhooks.
fn hook(base: &str) -> String {
    format!("{base}/s3cret-path/B00?sig=s1g-query")
}

#[tokio::test]
async fn whatever_happens_no_secret_is_told() {
    let authority = Authority::new();
    let h2 = Http2Server::start(&authority.certificate(&["127.0.0.1"]));
    let untrusted = HookServer::tls(&Authority::new().certificate(&["127.0.0.1"]), []);
    let good = HookServer::start([]);
    let failing = HookServer::start((0..4).map(|number| {
        let answer = HookAnswer::new(if number % 2 == 0 { 500 } else { 302 }, "t0ken-bearer s3cret-path");
        answer.with_header("location", &hook(&good.url("")))
    }));
    let broken = ScriptServer::start(|_| vec![Step::Send(b"HTTP/1.1 200 t0k".to_vec()), Step::Reset]);
    let odd = ScriptServer::start(|_| scripts::garbage());
    let refused = TcpSocket::new_v4().unwrap();
    refused.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let refused = format!("http://{}", refused.local_addr().unwrap());
    let bearer = |name: &str, url: String| json!({"name": name, "template": "generic", "url": url, "auth": {"bearer_env": "TOKEN"}, "allow_http": true});
    let ca_file = authority.pem_file().to_owned();
    let stage = Setup::targets(json!([
        bearer("good", hook(&good.url(""))),
        bearer("h2", h2.url("/headers/2?sig=s1g-query")),
        bearer("untrusted", hook(&untrusted.url(""))),
        bearer("failing", hook(&failing.url(""))),
        bearer("broken", hook(&broken.url(""))),
        bearer("odd", hook(&odd.url(""))),
        bearer("refused", hook(&refused)),
        bearer("metadata", hook("http://169.254.169.254")),
        {"name": "basic", "template": "generic", "url": hook(&good.url("")), "allow_http": true,
         "auth": {"basic_env_user": "U", "basic_env_pass": "P"}},
        {"name": "page", "template": "pagerduty_events_v2", "url_env": "HOOK", "allow_http": true,
         "auth": {"bearer_env": "KEY"}},
        {"name": "later", "template": "generic", "url_env": "LATER", "auth": {"bearer_env": "TOKEN"}},
        {"name": "dead1", "template": "generic", "url_env": "BAD1"},
        {"name": "dead2", "template": "generic", "url_env": "BAD2"},
        {"name": "dead3", "template": "generic", "url_env": "BAD3", "auth": {"bearer_env": "TOKEN"}},
    ]))
    .variable("TOKEN", "t0ken-bearer")
    .variable("U", "joe")
    .variable("P", "pa55-w0rd")
    .variable("KEY", "r0uting-key")
    .variable("HOOK", &hook(&good.url("")))
    .variable("LATER", &hook("https://127.0.0.1:1"))
    .variable("BAD1", "ftp://hooks.example/s3cret-path")
    .variable("BAD2", "s3cret-path")
    .variable("BAD3", "http://hooks.example/s3cret-path")
    .config(|config| config.url_scope.ca_file = Some(ca_file))
    .start();
    let session = stage.session();
    let mut heard = vec![stage.description(), format!("{:?}", stage.rig.host.tools())];
    let mut delivered = Vec::new();
    for target in [
        "good",
        "h2",
        "untrusted",
        "failing",
        "failing",
        "broken",
        "odd",
        "refused",
        "metadata",
        "basic",
        "page",
        "later",
        "dead1",
        "dead2",
        "dead3",
    ] {
        match fire(&session, target).await {
            Ok(result) => {
                delivered.push(target);
                heard.push(format!("{result:?}"));
            }
            Err(error) => heard.push(format!("{error:?} {error} {}", error.to_json())),
        }
    }
    // Values that go wrong after the start.
    for (variable, value) in [
        ("LATER", "http://hooks.example/late-s3cret"),
        ("LATER", "https://us3rinfo:late-s3cret@127.0.0.1:1/"),
        ("LATER", "late-s3cret"),
        ("LATER", "https://[late-s3cret]/"),
        ("TOKEN", "late-s3cret\nX-Injected: 1"),
        ("TOKEN", "late-s3cret\u{0}"),
        ("TOKEN", "late-s3cret ü"),
    ] {
        stage.environment.set("TOKEN", "t0ken-bearer");
        stage.environment.set("LATER", &hook("https://127.0.0.1:1"));
        stage.environment.set(variable, value);
        let error = fire(&session, "later").await.unwrap_err();
        heard.push(format!("{error:?} {error} {}", error.to_json()));
    }
    let untold = fire_with(&session, json!({"target": "good", "level": "x", "summary": ""})).await;
    heard.push(format!("{:?}", untold.unwrap_err()));

    assert_eq!(delivered, ["good", "h2", "basic", "page"]);
    assert_eq!(good.received().len(), 3);
    assert_eq!(
        good.received()[1].header("authorization"),
        Some("Basic am9lOnBhNTUtdzByZA==")
    );
    assert_eq!(good.received()[2].json().unwrap()["routing_key"], "r0uting-key");
    assert_eq!(heard.len(), 2 + 15 + 7 + 1);
    nobody_knows(&stage, &heard);
    // The audit log still says where it went.
    let audit = stage.audit();
    for origin in [good.url(""), refused] {
        assert!(audit.contains(&format!("\"{origin}")), "{origin}: {audit}");
    }
}

#[tokio::test]
async fn credentials_of_a_proxy_are_secrets_too() {
    let proxy = HttpProxy::start(Upstream::Refused(407));
    let url = proxy.url().replace("http://", "http://joe:pa55-w0rd@");
    let stage = Setup::targets(json!([
        {"name": "plain", "template": "generic", "url": hook("http://hooks.test")},
        {"name": "secure", "template": "generic", "url": hook("https://hooks.test")},
    ]))
    .config(|config| config.url_scope.proxy = url)
    .start();
    let mut heard = Vec::new();
    for target in ["plain", "secure"] {
        let error = fire(&stage.session(), target).await.unwrap_err();
        heard.push(format!("{error:?} {error}"));
    }
    let requests = proxy.recorder().requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert_eq!(
            request.header("proxy-authorization"),
            Some("Basic am9lOnBhNTUtdzByZA==")
        );
    }
    nobody_knows(&stage, &heard);
}

/// What an operator sees of the questions, and a caller of the refusals.
#[tokio::test]
async fn the_gate_tells_no_secret() {
    let server = HookServer::start([]);
    let stage = Setup::targets(json!([{"name": "ops", "template": "generic", "url": hook(&server.url(""))}]))
        .mode(toolgate::Mode::Ask)
        .start();
    let operator = crate::operator::Operator::who_says(toolgate::Decision::Deny);
    let session = stage.session_of(operator.session());
    let error = fire(&session, "ops").await.unwrap_err();
    let mut heard = vec![format!("{error:?} {error}")];
    heard.extend(operator.asked().iter().map(|request| format!("{request:?}")));
    assert_eq!(heard.len(), 2);
    let unasked = fire(&stage.session(), "ops").await.unwrap_err();
    heard.push(format!("{unasked:?} {unasked}"));
    nobody_knows(&stage, &heard);
    assert!(server.recorder().connections().is_empty());
}
