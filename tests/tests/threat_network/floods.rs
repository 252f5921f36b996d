//! Many requests, large ones, and guests that leave theirs behind.

use std::net::Ipv6Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use toolgate::ErrorKind;

use crate::stage::{World, dialling};

/// Bytes of a request's body that the host sends on.
const UPLOAD: u64 = 10 << 20;
/// What a head and the framing of chunks may add to them.
const FRAMING: u64 = 1 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn floods_reach_the_granted_host_alone() {
    if !crate::namespace::entered(module_path!(), "floods_reach_the_granted_host_alone") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let mut config = world.config(&["http://*:*"], &[]);
    config.tools.network = [("dial_http".to_owned(), vec!["http://granted.org".to_owned()])].into();
    let stage = world.stage(config);
    let arguments = json!({"url": "http://other.org/", "parallel": 40});
    let report = stage.dial("dial_http", arguments).await;
    assert_eq!(
        report["counts"],
        json!({"response:http_request_denied": 40}),
        "{report}"
    );
    world.is_silent("40 requests elsewhere");

    let granted = json!({"url": "http://granted.org/", "parallel": 40});
    let report = stage.dial("dial_http", granted).await;
    assert_eq!(report["counts"], json!({"200": 40}), "{report}");
    let seen = world.seen();
    let to = format!("{}:80", world.names.of("granted.org"));
    assert!(seen.connects.iter().all(|at| *at == to), "{seen:?}");
    assert_eq!(seen.arrived.len(), 40);
    assert!(seen.asked.len() <= 40 && seen.asked.iter().all(|name| name == "granted.org"));
    // More handles than a call may hold end the call, and nothing else.
    let flood = json!({"url": "http://granted.org/", "parallel": 100_000});
    let error = stage.call("dial_http", flood).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Failed | ErrorKind::Limit), "{error}");
    let seen = world.seen();
    assert!(seen.connects.iter().all(|at| *at == to), "{seen:?}");
    let report = stage.dial("dial_http", json!({"url": "http://granted.org/"})).await;
    assert_eq!(report["counts"], json!({"200": 1}), "{report}");
}

/// Reads whatever comes to a port and counts it.
async fn sink(port: u16) -> Arc<AtomicU64> {
    let read = Arc::new(AtomicU64::new(0));
    let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).await.unwrap();
    let counted = Arc::clone(&read);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let counted = Arc::clone(&counted);
            tokio::spawn(async move {
                let mut buffer = vec![0; 64 << 10];
                while let Ok(length @ 1..) = client.read(&mut buffer).await {
                    counted.fetch_add(length as u64, Ordering::Relaxed);
                }
            });
        }
    });
    read
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_end_at_their_limit() {
    if !crate::namespace::entered(module_path!(), "uploads_end_at_their_limit") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let read = sink(8080).await;
    let mut config = world.config(&["http://*:*"], &[]);
    config.url_scope.timeout_seconds = 5;
    config.tools.network = [("dial_http".to_owned(), vec!["http://granted.org:8080".to_owned()])].into();
    let stage = world.stage(config);
    let kib = "x".repeat(1024);
    let upload = |url: &str, kibs: u64| json!({"url": url, "method": "POST", "body": kib, "body_repeat": kibs});
    // Nowhere at all without a grant, however much it is.
    let report = stage.dial("dial_http", upload("http://other.org:8080/", 1024)).await;
    assert_eq!(report["outcomes"][0]["status"], json!(null), "{report}");
    world.is_silent("an upload elsewhere");
    assert_eq!(read.load(Ordering::Relaxed), 0);

    let report = stage
        .dial("dial_http", upload("http://granted.org:8080/", 16 << 10))
        .await;
    let outcome = &report["outcomes"][0];
    assert_eq!(outcome["status"], json!(null), "{report}");
    assert_ne!(outcome["faults"], json!([]), "{report}");
    let total = read.load(Ordering::Relaxed);
    assert!(total > UPLOAD / 2 && total <= UPLOAD + FRAMING, "{total} bytes came");
    let seen = world.seen();
    assert_eq!(seen.connects, [format!("{}:8080", world.names.of("granted.org"))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_guest_leaves_behind_is_gone() {
    if !crate::namespace::entered(module_path!(), "what_a_guest_leaves_behind_is_gone") {
        return;
    }
    let world = World::new(&[], &[80]).await;
    let mut config = world.config(&["http://*"], &[]);
    config.tools.network.clear();
    let stage = world.stage(config);
    let to = format!("{}:80", world.names.of("held.org"));
    for via in ["http", "fetch"] {
        for head in [false, true] {
            for end in ["spin", "trap", "leave"] {
                let arguments = json!({"url": "http://held.org/", "count": 20, "via": via, "head": head, "end": end});
                let shown = arguments.to_string();
                let call = dialling("dial_hold", arguments).deadline(Duration::from_secs(2));
                let started = Instant::now();
                let outcome = stage.rig.session().call(call).await;
                let kind = outcome.as_ref().err().map(|error| error.kind);
                match end {
                    "spin" => assert_eq!(kind, Some(ErrorKind::Deadline), "{shown}"),
                    "trap" => assert_eq!(kind, Some(ErrorKind::Failed), "{shown}"),
                    _ => assert_eq!(outcome.unwrap().value["held"], 20, "{shown}"),
                }
                assert!(started.elapsed() < Duration::from_secs(10), "{shown}");
                let seen = world.seen();
                assert!(seen.connects.iter().all(|at| *at == to), "{shown}: {seen:?}");
            }
        }
    }
    let fetched = stage
        .call("fetch_url", json!({"url": "http://held.org/"}))
        .await
        .unwrap();
    assert_eq!(fetched["status"], 200);
    // The sessions are over, and so are their connections.
    let started = Instant::now();
    let open = || {
        world
            .servers
            .plain()
            .connections()
            .iter()
            .filter(|one| one.ended.is_none())
            .count()
    };
    while open() > 0 {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{} connections stay open",
            open()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
