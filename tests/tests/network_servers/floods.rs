//! N07, N08: one server that sends as fast as it can must not keep another one waiting.

use std::time::{Duration, Instant};

use toolgate::{Call, ErrorKind};
use toolgate_tests::net::{Script, Step, scripts};

use crate::stage::{GOOD, PATIENCE, Stage, site};

/// Interim answers as fast as they are read.
fn interim() -> Script {
    vec![Step::Endless(b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(512))]
}

#[test]
fn n07_a_flood_of_interim_answers_holds_up_nobody() {
    let server = site(vec![("/flood", interim())]);
    let other = site(Vec::new());
    let stage = Stage::with(&[server.url("/"), other.url("/")], |config| {
        config.url_scope.timeout_seconds = 2;
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let session = stage.rig.session();
    let flood = Call::new("fetch_url", serde_json::json!({"url": server.url("/flood")}));
    let begun = Instant::now();
    let flooded = runtime.spawn(async move { session.call(flood).await });
    server.recorder().wait_for_requests(1, PATIENCE);
    let mut pages = 0;
    while !flooded.is_finished() && pages < 20 {
        stage.is_well_at(&other.url(GOOD));
        pages += 1;
    }
    let error = runtime.block_on(flooded).unwrap().unwrap_err();
    // A slow machine runs out of time before the connection has brought more than it may.
    assert!(matches!(error.kind, ErrorKind::Limit | ErrorKind::Deadline), "{error}");
    assert!(error.message.contains(&server.address().to_string()), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(pages > 0, "the other server was not reached");
    stage.is_well_at(&server.url(GOOD));
}

#[test]
fn n08_endless_bodies_are_cut_and_not_read_further() {
    let server = site(vec![
        ("/plain", scripts::endless_body()),
        ("/chunked", scripts::endless_chunked_body()),
    ]);
    let stage = Stage::new(&[server.url("/")]);
    for (index, path) in ["/plain", "/chunked"].into_iter().enumerate() {
        let page = stage.page(&server.url(path));
        assert_eq!(
            (&page["truncated"], &page["bytes"]),
            (&true.into(), &65_536.into()),
            "{path}"
        );
        assert!(!page.contains_key("total_bytes"), "{path}");
        let connections = server.recorder().wait_for_end(index + 1, PATIENCE);
        let sent = connections[index].sent;
        assert!(sent < 16 << 20, "{path}: {sent} bytes were sent");
    }
    stage.is_well_at(&server.url(GOOD));
}
