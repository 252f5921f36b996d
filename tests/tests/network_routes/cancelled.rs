//! A call that is given up ends its connections, at the server too.

use std::time::Duration;

use serde_json::json;
use toolgate::{Call, ErrorKind};
use toolgate_tests::net::{Authority, Http2Server, ScriptServer, scripts};

use crate::stage::{PATIENCE, Stage, echo, fetch, owned};

#[tokio::test]
async fn dropping_the_call_closes_the_connection_wherever_it_waits() {
    let server = ScriptServer::start(|request| match request.path() {
        "/silent" => scripts::stall(),
        "/head" => scripts::stall_after_headers(),
        "/body" => scripts::stall_mid_body("the start"),
        "/slow-head" => scripts::slow_headers(Duration::from_millis(200)),
        "/slow-body" => scripts::slow_body(&"x".repeat(1000), Duration::from_millis(200)),
        "/hop" => scripts::redirect(302, "/silent"),
        _ => echo(request),
    });
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    let mut connections = 0;
    for path in ["/silent", "/head", "/body", "/slow-head", "/slow-body", "/hop"] {
        let url = server.url(path);
        let given_up = tokio::time::timeout(Duration::from_millis(700), fetch(&session, &url));
        assert!(given_up.await.is_err(), "{path}");
        connections += if path == "/hop" { 2 } else { 1 };
        let seen = server.recorder().wait_for_end(connections, PATIENCE);
        assert_eq!(seen.len(), connections, "{path}");
    }
    assert_eq!(fetch(&session, &server.url("/fine")).await.unwrap()["body"], "/fine");
}

#[tokio::test]
async fn the_deadline_of_a_call_does_the_same() {
    let server = ScriptServer::start(|_| scripts::stall());
    let stage = Stage::allowing(&[&server.url("")]);
    let call = Call::new("fetch_url", json!({"url": server.url("/")}));
    let late = stage
        .rig
        .session()
        .call(call.deadline(Duration::from_millis(500)))
        .await;
    assert_eq!(late.unwrap_err().kind, ErrorKind::Deadline);
    server.recorder().wait_for_end(1, PATIENCE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_leave_nothing_behind() {
    let server = ScriptServer::start(|request| match request.path() {
        "/fine" => echo(request),
        _ => scripts::stall_mid_body("x"),
    });
    let stage = Stage::allowing(&[&server.url("")]);
    let calls: Vec<_> = (0..24)
        .map(|number| {
            let (session, url) = (stage.rig.session(), server.url(&format!("/{number}")));
            tokio::spawn(async move { fetch(&session, &url).await })
        })
        .collect();
    let least = 4;
    server.recorder().wait_for_requests(least, PATIENCE);
    for call in &calls {
        call.abort();
    }
    for call in calls {
        assert!(call.await.unwrap_err().is_cancelled());
    }
    server.recorder().wait_for_end(least, PATIENCE);
    assert_eq!(stage.body(&server.url("/fine")).await, "/fine");
}

#[tokio::test]
async fn one_stream_of_http2_ends_and_the_others_go_on() {
    let authority = Authority::new();
    let server = Http2Server::start(&authority.certificate(&["127.0.0.1"]));
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&[&server.address().to_string()]);
        config.url_scope.ca_file = Some(authority.pem_file().to_owned());
    });
    let session = stage.rig.session();
    fetch(&session, &server.url("/echo")).await.unwrap();
    let stalled = server.url("/stall");
    let given_up = tokio::time::timeout(Duration::from_millis(700), fetch(&session, &stalled));
    assert!(given_up.await.is_err());
    fetch(&session, &server.url("/echo")).await.unwrap();
    let requests = server.recorder().requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.connection == 0), "{requests:?}");
    // With the session the connection ends, whatever was given up on it.
    drop(session);
    server.recorder().wait_for_end(1, PATIENCE);
}
