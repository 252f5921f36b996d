//! G23: hostile calls of all kinds beside an honest tenant of the same host.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::ErrorKind;
use toolgate_tests::rig;

use crate::kit;
use crate::measure;
use crate::stage::{PROJECT, Stage, limits};

#[tokio::test(flavor = "multi_thread")]
async fn g23_an_honest_tenant_is_served_beside_hostile_ones() {
    let _turn = measure::alone();
    let forge = kit::guest(&[
        "(block (result i64) (loop $l (br $l)) (i64.const 0))",
        "(block (result i64) (loop $l (br_if $l (i32.ne (i32.const -1) (memory.grow (i32.const 16)))))
           (memory.fill (i32.const 0) (i32.const 1) (i32.const 60000000)) (i64.const 0))",
        "(block (result i64) (loop $l (call $random (i64.const 65536) (i32.const 64)) (br $l)) (i64.const 0))",
        "(block (result i64) (call $block (call $timer (i64.const -1))) (i64.const 0))",
        "(block (result i64) (local.set $i (call $root))
           (loop $l (drop (call $open_letter (local.get $i) (i32.const 0) (i32.const 0) (i32.const 1))) (br $l))
           (i64.const 0))",
        "(block (result i64) (loop $l (call $log (i32.const 4) (i32.const 131072) (i32.const 4096)) (br $l)) (i64.const 0))",
        "(block (result i64) (local.set $i (call $stdout))
           (loop $l (call $write_and_flush (local.get $i) (i32.const 0) (i32.const 4096) (i32.const 64)) (br $l))
           (i64.const 0))",
        "(block (result i64) (call $log (i32.const 2) (i32.const 0) (i32.const -1)) (i64.const 0))",
        "(block (result i64) (local.set $i (call $root))
           (loop $l
             (call $begin (local.get $i) (i32.const 2) (i32.const 3) (i32.const 64))
             (br $l))
           (i64.const 0))",
        "(block (result i64) unreachable)",
    ]);
    let kinds = 10;
    let mut limits = limits();
    limits.concurrency = 16;
    let stage = Arc::new(Stage::with(&[&forge.build()], limits));
    let over = Arc::new(AtomicBool::new(false));
    // More tenants than may run at once, each starting again when it was ended.
    let hostile: Vec<_> = (0..3 * limits.concurrency)
        .map(|number| {
            let (stage, over) = (Arc::clone(&stage), Arc::clone(&over));
            tokio::spawn(async move {
                let mut n = u64::from(number) % kinds;
                while !over.load(Ordering::Relaxed) {
                    if let Err(error) = stage.evil_within(n, Duration::from_millis(200)).await {
                        let ended = matches!(error.kind, ErrorKind::Deadline | ErrorKind::Failed | ErrorKind::Limit);
                        assert!(ended, "kind {n}: {error}");
                        assert!(
                            !error.message.contains("internal error of the host"),
                            "kind {n}: {error}"
                        );
                    }
                    n = (n + 1) % kinds;
                }
            })
        })
        .collect();
    let session = stage.rig.session();
    let started = Instant::now();
    let mut slowest = Duration::ZERO;
    let mut served = 0;
    while started.elapsed() < Duration::from_secs(8) {
        let before = Instant::now();
        let call = toolgate::Call::new("read_file", json!({"path": "f"})).deadline(Duration::from_secs(20));
        let result = session.call(call).await;
        assert!(result.is_ok(), "call {served}: {result:?}");
        slowest = slowest.max(before.elapsed());
        served += 1;
    }
    over.store(true, Ordering::Relaxed);
    for tenant in hostile {
        tenant.await.unwrap();
    }
    assert!(served >= 10, "{served} calls served, the slowest in {slowest:?}");
    assert!(slowest < Duration::from_secs(5), "the slowest call took {slowest:?}");
    crate::panics::none();
    stage.recovers().await;
    assert_eq!(stage.entries(), PROJECT);
    println!("G23: {served} honest calls in 8 s, the slowest in {slowest:?}");
}

/// The SDK's guests do the same through the public tools.
#[tokio::test(flavor = "multi_thread")]
async fn g23_spinning_calls_leave_time_for_others() {
    let _turn = measure::together();
    let stage = Arc::new(Stage::with_plugins(&[rig::guest("hog")], limits()));
    let spinning: Vec<_> = (0..limits().concurrency - 1)
        .map(|_| {
            let session = stage.rig.session();
            let call = toolgate::Call::new("spin", json!({})).deadline(Duration::from_secs(2));
            tokio::spawn(async move { session.call(call).await })
        })
        .collect();
    for number in 0..20 {
        let text = format!("text {number}");
        assert_eq!(
            stage.rig.call("echo", json!({"text": text})).await.unwrap()["text"],
            text
        );
    }
    for call in spinning {
        assert_eq!(call.await.unwrap().unwrap_err().kind, ErrorKind::Deadline);
    }
}
