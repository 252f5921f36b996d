//! How often, and how much.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate::{CallError, ErrorKind};
use toolgate_tests::net::{HookAnswer, HookServer};

use crate::stage::{Setup, Stage, fire, fire_with};

/// Bytes of a message at most.
const MOST: usize = 64 << 10;

/// Fires so many alerts at once, in one session or in one each; how many were delivered.
async fn flood(stage: &Stage, target: &'static str, many: usize, one_session: bool) -> usize {
    let one = stage.session();
    let calls: Vec<_> = (0..many)
        .map(|_| {
            let session = if one_session { one.clone() } else { stage.session() };
            tokio::spawn(async move { fire(&session, target).await })
        })
        .collect();
    let mut delivered = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => delivered += 1,
            Err(error) => assert_eq!(error.kind, ErrorKind::Limit, "{error}"),
        }
    }
    delivered
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_alerts_at_once_as_many_as_allowed_arrive() {
    for one_session in [false, true] {
        let (server, slow) = (HookServer::start([]), HookServer::start([]));
        for _ in 0..5 {
            slow.push(HookAnswer::new(200, "").after(Duration::from_millis(300)));
        }
        // One more would be due after twelve minutes.
        let stage = Setup::targets(json!([
            {"name": "ops", "template": "generic", "url": server.url("/ops")},
            {"name": "slow", "template": "generic", "url": slow.url("/slow")},
        ]))
        .limit("5/hour")
        .start();
        assert_eq!(flood(&stage, "ops", 20, one_session).await, 5);
        assert_eq!(server.received().len(), 5);
        // The other target has all of its own.
        assert_eq!(flood(&stage, "slow", 20, one_session).await, 5);
        assert_eq!(slow.received().len(), 5);
        assert_eq!(server.received().len(), 5);
    }
}

#[tokio::test]
async fn each_host_counts_for_itself() {
    let server = HookServer::start([]);
    let start = || Setup::named(&["ops"], &server).limit("1/hour").start();
    let (one, other) = (start(), start());
    for stage in [&one, &other] {
        fire(&stage.session(), "ops").await.unwrap();
        // In all sessions of a host together.
        let error = fire(&stage.session(), "ops").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit);
    }
    assert_eq!(server.received().len(), 2);
}

/// The seconds that an error tells to wait.
fn seconds(error: &CallError) -> u64 {
    let before = error.message.split(" s,").next().unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn the_wait_that_is_told_is_enough() {
    let server = HookServer::start([]);
    let stage = Setup::named(&["ops", "dev"], &server).limit("1/4s").start();
    let session = stage.session();
    fire(&session, "ops").await.unwrap();
    let error = fire(&session, "ops").await.unwrap_err();
    assert!(
        error.message.contains("ops") && error.message.contains("another target"),
        "{error}"
    );
    let wait = seconds(&error);
    assert!((1..=4).contains(&wait), "{error}");
    fire(&session, "dev").await.unwrap();
    tokio::time::sleep(Duration::from_secs(wait)).await;
    fire(&session, "ops").await.unwrap();
    assert_eq!(server.received().len(), 3);
}

/// What a receiver refused was sent, and counts.
#[tokio::test]
async fn a_failure_of_the_receiver_counts() {
    let server = HookServer::start([HookAnswer::new(500, "")]);
    let stage = Setup::named(&["ops"], &server).limit("1/hour").start();
    let error = fire(&stage.session(), "ops").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
    let error = fire(&stage.session(), "ops").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert!(seconds(&error) > 3000, "{error}");
    assert_eq!(server.received().len(), 1);
}

fn with_detail(target: &str, bytes: usize) -> Value {
    json!({"target": target, "level": "info", "summary": "s", "details": {"k": "x".repeat(bytes)}})
}

#[tokio::test]
async fn a_message_has_at_most_64_kib() {
    let server = HookServer::start([]);
    let stage = Setup::targets(json!([
        {"name": "ops", "template": "generic", "url": server.url("/ops")},
        {"name": "page", "template": "pagerduty_events_v2", "url": server.url("/page"),
         "auth": {"bearer_env": "KEY"}, "allow_http": true},
    ]))
    .variable("KEY", "R-KEY")
    .start();
    let session = stage.session();
    for target in ["ops", "page"] {
        let before = server.received().len();
        fire_with(&session, with_detail(target, 0)).await.unwrap();
        let around = server.received().pop().unwrap().body.len();
        fire_with(&session, with_detail(target, MOST - around)).await.unwrap();
        assert_eq!(server.received().pop().unwrap().body.len(), MOST);
        // With the key that the host adds, too.
        let error = fire_with(&session, with_detail(target, MOST - around + 1))
            .await
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{error}");
        assert!(
            error.message.contains("65537") && error.message.contains("65536"),
            "{error}"
        );
        assert!(!error.message.contains("R-KEY"), "{error}");
        assert_eq!(server.received().len(), before + 2);
    }
}
