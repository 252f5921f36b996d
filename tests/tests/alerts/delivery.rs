//! What is sent, once, and what counts as delivered.

use std::time::Duration;

use serde_json::json;
use toolgate::{Call, ErrorKind, SessionOptions};
use toolgate_tests::net::{Authority, HookAnswer, HookServer, Http2Server, RawServer, ScriptServer, Step, scripts};

use crate::stage::{SOON, Setup, fire, fire_with};

/// In the answers of servers, and nowhere else.
const ANSWERED: &str = "told-in-the-answer";

#[tokio::test]
async fn redirects_are_failures_and_nobody_follows_them() {
    let other = HookServer::start([]);
    for status in [300, 301, 302, 303, 304, 305, 307, 308] {
        let answer = HookAnswer::new(status, ANSWERED).with_header("location", &other.url("/elsewhere"));
        let server = HookServer::start([answer]);
        let stage = Setup::targets(json!([
            {"name": "page", "template": "pagerduty_events_v2", "url": server.url("/hook"),
             "auth": {"bearer_env": "KEY"}, "allow_http": true},
        ]))
        .variable("KEY", "R-KEY")
        .start();
        let error = fire(&stage.session(), "page").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
        for part in ["page", "status", &status.to_string()] {
            assert!(error.message.contains(part), "{part}: {error}");
        }
        assert!(
            !error.message.contains(ANSWERED) && !error.message.contains("elsewhere"),
            "{error}"
        );
        assert_eq!(server.received().len(), 1, "{status}");
    }
    assert!(other.recorder().connections().is_empty());
}

#[tokio::test]
async fn failures_are_told_without_their_body_and_nothing_is_sent_again() {
    let server = HookServer::start([]);
    let stage = Setup::named(&["ops"], &server).start();
    let session = stage.session();
    let statuses = [
        400, 401, 403, 404, 408, 410, 413, 422, 425, 429, 500, 502, 503, 504, 599,
    ];
    for status in statuses {
        let answer = HookAnswer::new(status, ANSWERED).with_header("x-told", ANSWERED);
        server.push(answer.with_header("retry-after", "0"));
        let error = fire(&session, "ops").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
        assert!(error.message.contains(&status.to_string()), "{error}");
        assert!(!error.message.contains(ANSWERED), "{error}");
    }
    for status in [200, 201, 202, 204, 206, 299] {
        server.push(HookAnswer::new(status, ANSWERED).after(Duration::from_millis(40)));
        let result = fire(&session, "ops").await.unwrap();
        assert_eq!(
            (&result["target"], &result["status_code"]),
            (&json!("ops"), &json!(status))
        );
        let took = result["duration_ms"].as_u64().unwrap();
        assert!((40..60_000).contains(&took) && result.len() == 3, "{result:?}");
    }
    assert_eq!(server.received().len(), statuses.len() + 6);
    assert!(!stage.audit().contains(ANSWERED));
    assert!(!stage.log.all().contains(ANSWERED));
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_failure_and_nothing_is_sent_again() {
    for script in [
        vec![Step::Cut],
        vec![Step::Reset],
        scripts::garbage(),
        vec![Step::Send(b"HTTP/1.1 2".to_vec()), Step::Close],
        scripts::header_flood(400, 1024),
    ] {
        let answered = script.clone();
        let server = ScriptServer::start(move |_| answered.clone());
        let stage = Setup::targets(json!([{"name": "ops", "template": "generic", "url": server.url("/hook")}])).start();
        let error = fire(&stage.session(), "ops").await.unwrap_err();
        assert!(
            [ErrorKind::Unavailable, ErrorKind::Limit].contains(&error.kind),
            "{script:?}: {error}"
        );
        assert!(
            error.message.contains("ops") && !error.message.contains("127.0.0.1"),
            "{error}"
        );
        assert_eq!(server.recorder().requests().len(), 1, "{script:?}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_told_as_such() {
    // Its answer is no greeting, and the address is right.
    let server = RawServer::start(scripts::status(400, ANSWERED));
    let url = format!("https://{}/hook", server.address());
    let stage = Setup::targets(json!([{"name": "ops", "template": "generic", "url": url}])).start();
    let error = fire(&stage.session(), "ops").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
    assert!(
        error.message.contains("tls") && error.message.contains("ops"),
        "{error}"
    );
    assert!(!error.message.contains("127.0.0.1"), "{error}");
}

/// The delivery is over with the head of the answer: nobody waits for a body that nobody reads.
#[tokio::test]
async fn an_endless_body_is_not_read() {
    let server = ScriptServer::start(|_| scripts::endless_body());
    let stage = Setup::targets(json!([{"name": "ops", "template": "generic", "url": server.url("/hook")}])).start();
    fire(&stage.session(), "ops").await.unwrap();
    let connections = server.recorder().wait_for_end(1, SOON);
    assert!(connections[0].sent < 64 << 20, "{}", connections[0].sent);
}

#[tokio::test]
async fn the_receiver_of_conversations_learns_the_session_and_others_do_not() {
    let server = HookServer::start([]);
    let stage = Setup::targets(json!([
        {"name": "chat", "template": "switchboard", "url": server.url("/chat"), "conversation": "C0123",
         "auth": {"bearer_env": "TOKEN"}, "allow_http": true},
        {"name": "ops", "template": "generic", "url": server.url("/ops")},
    ]))
    .variable("TOKEN", "SWB-1")
    .start();
    let named = stage.session_of(SessionOptions {
        id: Some("night-shift 7".to_owned()),
        ..SessionOptions::default()
    });
    let (one, other) = (stage.session(), stage.session());
    for session in [&named, &one, &other, &one.sibling(None)] {
        fire(session, "chat").await.unwrap();
        fire(session, "ops").await.unwrap();
    }
    let requests = server.received();
    let (chat, ops): (Vec<_>, Vec<_>) = requests.iter().partition(|request| request.path() == "/chat");
    let sessions: Vec<_> = chat
        .iter()
        .map(|request| request.header("x-agent-session").unwrap())
        .collect();
    assert_eq!(sessions, [named.id(), one.id(), other.id(), one.id()]);
    assert_ne!(one.id(), other.id());
    assert_eq!(ops.len(), 4);
    assert!(ops.iter().all(|request| request.header("x-agent-session").is_none()));
    assert!(ops.iter().all(|request| request.header("authorization").is_none()));
}

#[tokio::test]
async fn addresses_and_tokens_are_read_for_each_call() {
    let (server, other) = (HookServer::start([]), HookServer::start([]));
    let stage = Setup::targets(json!([
        {"name": "ops", "template": "generic", "url_env": "HOOK", "auth": {"basic_env_user": "U", "basic_env_pass": "P"},
         "allow_http": true},
    ]))
    .variable("HOOK", &server.url("/one"))
    .variable("U", "joe")
    .variable("P", "first")
    .start();
    let session = stage.session();
    fire(&session, "ops").await.unwrap();
    stage.environment.set("P", "second");
    stage.environment.set("HOOK", &format!(" {}\n", server.url("/two")));
    fire(&session, "ops").await.unwrap();
    stage.environment.set("HOOK", &other.url("/three"));
    fire(&session, "ops").await.unwrap();
    for variable in ["U", "P", "HOOK"] {
        stage.environment.remove(variable);
        let error = fire(&session, "ops").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
        assert!(
            error.message.contains("ops") && error.message.contains("not set"),
            "{error}"
        );
        assert!(error.message.contains(&format!(" {variable} ")), "{error}");
        stage.environment.set(variable, "x");
    }
    let seen = server.received();
    let seen: Vec<_> = seen
        .iter()
        .map(|request| (request.path(), request.header("authorization").unwrap()))
        .collect();
    assert_eq!(
        seen,
        [("/one", "Basic am9lOmZpcnN0"), ("/two", "Basic am9lOnNlY29uZA==")]
    );
    assert_eq!(other.recorder().targets(), ["/three"]);
}

#[tokio::test]
async fn http2_delivers_the_same() {
    let authority = Authority::new();
    let server = Http2Server::only_h2(&authority.certificate(&["127.0.0.1"]));
    let ca_file = authority.pem_file().to_owned();
    let stage = Setup::targets(json!([
        {"name": "ops", "template": "generic", "url": server.url("/echo?sig=1"), "auth": {"bearer_env": "TOKEN"}},
    ]))
    .variable("TOKEN", "s3cret-token")
    .config(|config| config.url_scope.ca_file = Some(ca_file))
    .start();
    let arguments = json!({"target": "ops", "level": "info", "summary": "s", "details": {"k": "v"}});
    fire_with(&stage.session(), arguments).await.unwrap();
    let requests = server.recorder().requests();
    let [request] = &requests[..] else {
        panic!("{requests:?}");
    };
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("POST", "/echo?sig=1")
    );
    assert_eq!(request.header("authorization"), Some("Bearer s3cret-token"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(
        request.json().unwrap(),
        json!({"level": "info", "summary": "s", "details": {"k": "v"}})
    );
    assert!(!stage.log.all().contains("s3cret-token"));
}

/// The call's own deadline counts too.
#[tokio::test]
async fn a_shorter_deadline_of_the_call_ends_it() {
    let server = HookServer::start([]);
    let stage = Setup::named(&["ops"], &server).start();
    // The component is ready after the first call.
    fire(&stage.session(), "ops").await.unwrap();
    server.recorder().wait_for_end(1, SOON);
    server.push(HookAnswer::new(200, "").after(Duration::from_secs(60)));
    let arguments = json!({"target": "ops", "level": "info", "summary": "s"});
    let call = Call::new("alert", arguments).deadline(Duration::from_secs(2));
    let error = stage.session().call(call).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Deadline, "{error}");
    server.recorder().wait_for_end(2, SOON);
    assert_eq!(server.received().len(), 2);
}
