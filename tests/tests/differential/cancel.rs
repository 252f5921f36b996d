//! FX-24: a search that nobody waits for any more ends.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::timeout;
use toolgate::{Call, Host, SessionOptions};

use crate::hosts::{UNLIMITED, host};
use crate::trees::registry;

/// How long the places of a dropped call may stay taken. Guests give way every 10 ms; the rest is
/// for machines that are busy.
const PROMPT: Duration = Duration::from_secs(2);

async fn call(host: &Host, tool: &str, arguments: serde_json::Value) {
    host.session(SessionOptions::default())
        .call(Call::new(tool, arguments))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_search_gives_its_places_back() {
    let Some(registry) = registry() else { return };
    for concurrency in [1, 2] {
        let host = host(&registry, concurrency, UNLIMITED, &|_| {});
        host.warm().unwrap();
        for _ in 0..5 {
            let search = call(&host, "grep", json!({"pattern": "[a-y]+[0-9]+[a-y]+#"}));
            let dropped = timeout(Duration::from_millis(100), search).await;
            assert!(dropped.is_err(), "the search was over too soon");
            let started = Instant::now();
            // Each place is needed, for all calls to run at the same time.
            let calls = (0..concurrency).map(|_| {
                let host = host.clone();
                tokio::spawn(async move { call(&host, "list_dir", json!({})).await })
            });
            for call in calls.collect::<Vec<_>>() {
                call.await.unwrap();
            }
            assert!(
                started.elapsed() < PROMPT,
                "{:?} for a call after it",
                started.elapsed()
            );
        }
    }
}
