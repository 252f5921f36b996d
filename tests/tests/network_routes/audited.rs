//! The log has every request that was made: where to, the address dialled, how it ended. Never a query.

use serde_json::{Value, json};
use toolgate::{Call, ErrorKind};
use toolgate_tests::net::{Answer, Blackhole, DnsServer, RawServer, ScriptServer, Step, scripts};
use toolgate_tests::rig::guest;

use crate::stage::{Stage, echo, owned};

/// The parts of a request that tests look at.
fn parts(request: &Value) -> [Value; 5] {
    ["number", "url", "address", "status", "failure"].map(|name| request[name].clone())
}

#[tokio::test]
async fn every_hop_is_there_with_its_address_and_status() {
    let other = ScriptServer::start(|_| scripts::answer(404, &[("Content-Type", "text/html; charset=utf-8")], "no"));
    let location = format!("http://b.test:{}/gone?token=hunter2", other.address().port());
    let server = ScriptServer::start(move |request| match request.path() {
        "/one" => scripts::redirect(301, "/two?token=hunter2"),
        _ => scripts::redirect(307, &location),
    });
    let (port, far) = (server.address().port(), other.address().port());
    let dns = DnsServer::start(|question| {
        let address = "127.0.0.1".parse().unwrap();
        Answer::addresses(question, &[address])
    });
    let stage = Stage::asking(
        &dns,
        &[&format!("http://a.test:{port}"), &format!("http://b.test:{far}")],
    );
    let page = stage
        .fetch(&format!("http://a.test:{port}/one?token=hunter2#part"))
        .await
        .unwrap();
    assert_eq!(page["status"], 404);
    let requests = stage.requests();
    let made: Vec<_> = requests.iter().map(parts).collect();
    let (here, there) = (server.address().to_string(), other.address().to_string());
    assert_eq!(
        made,
        [
            [
                json!(1),
                json!(format!("http://a.test:{port}/one?…")),
                json!(here),
                json!(301),
                Value::Null
            ],
            [
                json!(2),
                json!(format!("http://a.test:{port}/two?…")),
                json!(here),
                json!(307),
                Value::Null
            ],
            [
                json!(3),
                json!(format!("http://b.test:{far}/gone?…")),
                json!(there),
                json!(404),
                Value::Null
            ],
        ]
    );
    assert!(requests.iter().all(|request| request["method"] == "GET"));
    assert_eq!(requests[2]["content_type"], "text/html; charset=utf-8");
    assert!(!json!(requests).to_string().contains("hunter2"), "{requests:?}");
}

#[test]
fn a_request_that_failed_says_where_and_why() {
    let server = ScriptServer::start(|request| match request.path() {
        "/late" => scripts::stall(),
        "/cut" => vec![Step::Close],
        "/out" => scripts::redirect(302, "http://out.example/x?token=hunter2"),
        "/away" => scripts::redirect(302, "http://absent.test/"),
        _ => echo(request),
    });
    let raw = RawServer::start(vec![Step::Send(b"220 other.test ready\r\n".to_vec()), Step::Close]);
    let hole = Blackhole::new();
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let dns = DnsServer::table(&[("meta.test", &["169.254.169.254".parse().unwrap()])]);
    let (here, other) = (server.address().to_string(), raw.address().to_string());
    let place = format!("http://{here}");
    let cases = [
        (format!("{place}/late"), vec![(Some(&here), Value::Null, "timeout")]),
        (format!("{place}/cut"), vec![(Some(&here), Value::Null, "protocol")]),
        (
            format!("{place}/away"),
            vec![(Some(&here), json!(302), ""), (None, Value::Null, "dns")],
        ),
        (
            format!("{place}/out"),
            vec![(Some(&here), json!(302), ""), (None, Value::Null, "denied")],
        ),
        (format!("http://{closed}/"), vec![(None, Value::Null, "connect")]),
        (
            format!("http://{}/", hole.address()),
            vec![(None, Value::Null, "timeout")],
        ),
        ("http://absent.test/".to_owned(), vec![(None, Value::Null, "dns")]),
        ("http://meta.test/".to_owned(), vec![(None, Value::Null, "denied")]),
        (format!("https://{other}/"), vec![(Some(&other), Value::Null, "tls")]),
    ];
    for (url, expected) in cases {
        let stage = Stage::new(|config| {
            config.url_scope.allow = owned(&[&place, &other, &format!("http://{closed}"), "http://*.test"]);
            config.url_scope.allow.push(format!("http://{}", hole.address()));
            config.url_scope.nameservers = vec![dns.address().to_string()];
            config.url_scope.timeout_seconds = 1;
        });
        let call = Call::new("fetch_url", json!({"url": format!("{url}?token=hunter2")}));
        let error = stage.rig.session().call_blocking(call).unwrap_err();
        let requests = stage.requests();
        assert_eq!(requests.len(), expected.len(), "{url}: {error:?} {requests:?}");
        for (request, (address, status, failure)) in requests.iter().zip(&expected) {
            let [_, _, dialled, answered, why] = parts(request);
            assert_eq!(dialled.as_str(), address.map(String::as_str), "{url}: {request}");
            assert_eq!(answered, *status, "{url}: {request}");
            assert_eq!(why.as_str().unwrap_or_default(), *failure, "{url}: {request}");
        }
        assert!(!json!(requests).to_string().contains("hunter2"), "{requests:?}");
    }
}

#[tokio::test]
async fn what_the_gate_refused_made_no_request() {
    let server = ScriptServer::start(echo);
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&[&server.url("")]);
        config.url_scope.deny = owned(&["no.test"]);
    });
    for (url, rule) in [
        ("http://other.test/", "url_scope.allow"),
        ("http://no.test/", "url_scope.deny[0]"),
    ] {
        stage.refused(url, ErrorKind::Denied, &[]).await;
        let record = stage.records().pop().unwrap();
        assert_eq!(
            (&record["decision"], &record["requests"]),
            (&json!("refused"), &Value::Null),
            "{record}"
        );
        assert!(record["decided_by"].as_str().unwrap().contains(rule), "{record}");
    }
}

#[tokio::test]
async fn of_many_requests_the_first_are_listed_and_all_are_counted() {
    let server = ScriptServer::start(echo);
    let stage = Stage::built(
        |config| config.url_scope.allow = owned(&[&server.url("")]),
        |builder| builder.plugin(guest("dialer")),
    );
    let call = Call::new("dial_fetch", json!({"url": server.url("/x"), "parallel": 11}));
    stage.rig.session().call(call).await.unwrap();
    let record = stage.records().pop().unwrap();
    assert_eq!(record["requests"].as_array().unwrap().len(), 8, "{record}");
    assert_eq!(record["requests_made"], 11, "{record}");
}

#[tokio::test]
async fn a_request_that_was_given_up_is_there_too() {
    let server = ScriptServer::start(|_| scripts::stall());
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    let given_up = tokio::time::timeout(
        std::time::Duration::from_millis(700),
        session.call(Call::new("fetch_url", json!({"url": server.url("/x?token=hunter2")}))),
    );
    assert!(given_up.await.is_err());
    server.recorder().wait_for_requests(1, crate::stage::PATIENCE);
    let record = stage.records().pop().unwrap();
    assert_eq!(record["outcome"], "cancelled", "{record}");
    let request = &record["requests"][0];
    assert_eq!(request["url"], server.url("/x?…"), "{record}");
    assert_eq!(request["address"], server.address().to_string(), "{record}");
    assert_eq!(request["status"], Value::Null, "{record}");
}

#[tokio::test]
async fn what_a_plugin_tries_without_a_grant_is_there() {
    let server = ScriptServer::start(echo);
    let stage = Stage::built(
        |config| config.url_scope.allow = owned(&[&server.url("")]),
        |builder| builder.plugin(guest("dialer")),
    );
    let call = Call::new("dial_http", json!({"url": server.url("/x?token=hunter2")}));
    stage.rig.session().call(call).await.unwrap();
    let record = stage.records().pop().unwrap();
    let request = &record["requests"][0];
    assert_eq!(request["url"], server.url("/x?…"), "{record}");
    assert_eq!(
        (&request["failure"], &request["address"]),
        (&json!("denied"), &Value::Null),
        "{record}"
    );
    assert!(server.recorder().connections().is_empty());
}
