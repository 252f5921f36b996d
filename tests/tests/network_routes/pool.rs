//! N11, R35: who shares a connection with whom.

use std::time::Duration;

use serde_json::json;
use toolgate::Call;
use toolgate_tests::net::{Authority, Http2Server, ScriptServer, Step, listen_canary, scripts};
use toolgate_tests::rig::guest;

use crate::stage::{PATIENCE, Stage, echo, fetch, owned, pinned};

#[tokio::test]
async fn a_session_keeps_its_connection_and_every_other_has_its_own() {
    let server = ScriptServer::start(echo);
    let stage = Stage::allowing(&[&server.url("")]);
    let (one, two) = (stage.rig.session(), stage.rig.session());
    for round in 0..3 {
        for session in [&one, &two] {
            fetch(session, &server.url(&format!("/{round}"))).await.unwrap();
        }
    }
    let connections: Vec<usize> = server
        .recorder()
        .requests()
        .iter()
        .map(|request| request.connection)
        .collect();
    assert_eq!(connections, [0, 1, 0, 1, 0, 1]);
    assert!(
        server
            .recorder()
            .connections()
            .iter()
            .all(|connection| connection.ended.is_none())
    );
    drop(one);
    drop(two);
    // A session's connections end with it.
    server.recorder().wait_for_end(2, PATIENCE);
}

#[tokio::test]
async fn tools_do_not_share_connections() {
    let server = ScriptServer::start(echo);
    let stage = Stage::built(
        |config| config.url_scope.allow = owned(&[&server.url("")]),
        |builder| builder.plugin(guest("dialer")),
    );
    let session = stage.rig.session();
    for round in 0..2 {
        fetch(&session, &server.url(&format!("/own/{round}"))).await.unwrap();
        let url = server.url(&format!("/plugin/{round}"));
        let report = session
            .call(Call::new("dial_fetch", json!({"url": url})))
            .await
            .unwrap()
            .value;
        assert_eq!(report["counts"]["200"], 1, "{report:?}");
    }
    let connections: Vec<usize> = server
        .recorder()
        .requests()
        .iter()
        .map(|request| request.connection)
        .collect();
    assert_eq!(connections, [0, 1, 0, 1]);
}

#[tokio::test]
async fn names_of_one_address_do_not_share_connections() {
    let server = ScriptServer::start(echo);
    let names = ["a.test", "b.test"];
    let stage = Stage::new(|config| {
        config.url_scope.allow = names.iter().map(|name| pinned(name, server.address())).collect();
        config.url_scope.allow.push(server.url(""));
    });
    let session = stage.rig.session();
    let port = server.address().port();
    for _ in 0..2 {
        for host in ["a.test", "b.test", "127.0.0.1", "A.TEST."] {
            fetch(&session, &format!("http://{host}:{port}/")).await.unwrap();
        }
    }
    let connections: Vec<usize> = server
        .recorder()
        .requests()
        .iter()
        .map(|request| request.connection)
        .collect();
    assert_eq!(connections, [0, 1, 2, 0, 0, 1, 2, 0]);
}

#[tokio::test]
async fn a_body_that_was_not_read_to_its_end_ends_the_connection() {
    let server = ScriptServer::start(|_| scripts::ok("x".repeat(1 << 20), "text/plain"));
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    for _ in 0..2 {
        let call = Call::new("fetch_url", json!({"url": server.url("/"), "max_bytes": 10}));
        let page = session.call(call).await.unwrap().value;
        assert_eq!((&page["truncated"], &page["bytes"]), (&true.into(), &10.into()));
    }
    let seen = server.recorder().wait_for_end(2, PATIENCE);
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn requests_at_once_use_connections_of_their_own_and_few_are_kept() {
    let server = ScriptServer::start(|request| [vec![Step::Wait(Duration::from_millis(500))], echo(request)].concat());
    let stage = Stage::allowing(&[&server.url("")]);
    let session = stage.rig.session();
    let calls: Vec<_> = (0..12)
        .map(|number| {
            let (session, url) = (session.clone(), server.url(&format!("/{number}")));
            tokio::spawn(async move { fetch(&session, &url).await })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().unwrap()["body"], format!("/{number}"));
    }
    let opened = server.recorder().connections().len();
    fetch(&session, &server.url("/last")).await.unwrap();
    assert_eq!(
        server.recorder().connections().len(),
        opened,
        "one of those that wait is used"
    );
    let waiting = || {
        let seen = server.recorder().connections();
        seen.iter().filter(|connection| connection.ended.is_none()).count()
    };
    let until = std::time::Instant::now() + PATIENCE;
    while waiting() > 8 && std::time::Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(waiting() <= 8, "{}", waiting());
}

#[tokio::test]
async fn one_connection_of_http2_carries_many_requests_of_a_session() {
    let authority = Authority::new();
    let server = Http2Server::start(&authority.certificate(&["127.0.0.1"]));
    let stage = Stage::built(
        |config| {
            config.url_scope.allow = owned(&[&server.address().to_string()]);
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
        },
        |builder| builder.plugin(guest("dialer")),
    );
    let session = stage.rig.session();
    let dial = |parallel: u32| {
        let call = Call::new("dial_fetch", json!({"url": server.url("/echo"), "parallel": parallel}));
        let session = session.clone();
        async move { session.call(call).await.unwrap().value }
    };
    assert_eq!(dial(1).await["counts"]["200"], 1);
    assert_eq!(dial(12).await["counts"]["200"], 12);
    assert_eq!(dial(1).await["counts"]["200"], 1);
    let requests = server.recorder().requests();
    assert_eq!(requests.len(), 14);
    assert!(
        requests
            .iter()
            .all(|request| request.connection == 0 && request.version == "HTTP/2.0")
    );
    assert_eq!(server.recorder().connections().len(), 1);
    // Not across sessions, and not across tools.
    fetch(&session, &server.url("/echo")).await.unwrap();
    stage.body(&server.url("/echo")).await;
    assert_eq!(server.recorder().connections().len(), 3);
}

#[tokio::test]
async fn r36_no_other_place_that_a_server_offers_is_used() {
    let canary = listen_canary("127.0.0.1:0");
    let offer = format!("h2=\"{0}\", h3=\"{0}\"; ma=86400; persist=1", canary.address());
    let server = ScriptServer::start(move |_| {
        let headers = [
            ("Content-Type", "text/plain"),
            ("Alt-Svc", offer.as_str()),
            ("Connection", "close"),
        ];
        scripts::answer(200, &headers, "here")
    });
    let place = format!("http://{}", canary.address());
    let stage = Stage::allowing(&[&server.url(""), &place]);
    let session = stage.rig.session();
    for _ in 0..3 {
        assert_eq!(fetch(&session, &server.url("/")).await.unwrap()["body"], "here");
    }
    assert_eq!(server.recorder().requests().len(), 3);
    assert_eq!(canary.connections_seen(), 0);
}
