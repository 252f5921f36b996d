//! G26, G28: parts of the host that fail. G30: what guests can learn from clocks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgate::ErrorKind;
use tracing::field::{Field, Visit};
use tracing::span;
use tracing::{Event, Metadata, Subscriber};

use crate::kit;
use crate::measure;
use crate::panics::INJECTED;
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn g26_without_a_ticker_no_call_starts_and_running_ones_end() {
    let _turn = measure::together();
    let stage = Arc::new(Stage::of(&kit::guest(&[
        "(block (result i64) (loop $l (br $l)) (i64.const 0))",
    ])));
    stage.ends_by_deadline(0).await;
    let spinning = {
        let stage = Arc::clone(&stage);
        tokio::spawn(async move {
            let started = Instant::now();
            let outcome = stage.evil_within(0, Duration::from_secs(2)).await;
            (outcome, started.elapsed())
        })
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    stage.rig.host.inject_ticker_failure();
    let failed = Instant::now();
    let refused = loop {
        match stage.rig.call("read_file", serde_json::json!({"path": "f"})).await {
            Ok(_) => assert!(failed.elapsed() < Duration::from_secs(1), "calls are still accepted"),
            Err(error) => break error,
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(refused.kind, ErrorKind::Unavailable, "{refused}");
    assert!(refused.message.contains("restart"), "{refused}");
    let (outcome, took) = spinning.await.unwrap();
    assert_eq!(outcome.unwrap_err().kind, ErrorKind::Deadline);
    assert!(took < Duration::from_secs(4), "took {took:?}");
}

/// The log is the operator's; here it panics when a guest says so, inside a host function.
struct Fragile;

impl Subscriber for Fragile {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "toolgate::plugin"
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Trigger);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct Trigger;

impl Visit for Trigger {
    fn record_debug(&mut self, _: &Field, value: &dyn std::fmt::Debug) {
        assert!(!format!("{value:?}").contains("panic now"), "{INJECTED} by a test");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g28_a_panic_in_a_host_function_ends_one_call() {
    let _turn = measure::together();
    // Harmless for all other tests: only these words make it panic.
    let _ = tracing::subscriber::set_global_default(Fragile);
    let mut forge = kit::guest(&[
        "(block (result i64)
           (local.set $i (call $root))
           (call $begin (local.get $i) (i32.const 2) (i32.const 3) (i32.const 64))
           (call $log (i32.const 4) (i32.const 131072) (i32.const 9))
           (i64.const 0))",
        "(i64.const 1)",
    ]);
    forge.items += "(data (i32.const 131072) \"panic now\")";
    let stage = Arc::new(Stage::of(&forge));
    for _ in 0..20 {
        let beside = {
            let stage = Arc::clone(&stage);
            tokio::spawn(async move { stage.evil(1).await })
        };
        let error = stage.evil(0).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Failed, "{error}");
        assert!(error.message.contains("internal error of the host"), "{error}");
        assert!(
            !error.message.contains(INJECTED),
            "the details are for the log: {error}"
        );
        assert_eq!(beside.await.unwrap().unwrap(), 1);
    }
    stage.is_well().await;
    stage.recovers().await;
    assert_eq!(stage.entries(), crate::stage::PROJECT);
}

#[tokio::test(flavor = "multi_thread")]
async fn g30_clocks_are_coarse() {
    let _turn = measure::together();
    // The smallest step between two readings that differ, in nanoseconds.
    let smallest = |read: &str| {
        format!(
            "(block (result i64)
               (local.set $x (i64.const 9223372036854775807))
               (local.set $y {read})
               (loop $more
                 (local.set $z (i64.sub {read} (local.get $y)))
                 (if (i64.ne (local.get $z) (i64.const 0))
                   (then
                     (if (i64.lt_u (local.get $z) (local.get $x)) (then (local.set $x (local.get $z))))
                     (local.set $y (i64.add (local.get $y) (local.get $z)))
                     (local.set $i (i32.add (local.get $i) (i32.const 1)))))
                 (br_if $more (i32.lt_u (local.get $i) (i32.const 100))))
               (local.get $x))"
        )
    };
    let wall = "(block (result i64)
        (call $wall (i32.const 64))
        (i64.add (i64.mul (i64.load (i32.const 64)) (i64.const 1000000000)) (i64.load32_u (i32.const 72))))";
    let resolution = "(block (result i64) (call $wall_resolution (i32.const 64)) (i64.load32_u (i32.const 72)))";
    let mut forge = kit::guest(&[
        &smallest("(call $now)"),
        &smallest(wall),
        "(call $resolution)",
        resolution,
    ]);
    forge.imports += "
        (import \"wasi:clocks/monotonic-clock@0.2.12\" \"resolution\" (func $resolution (result i64)))
        (import \"wasi:clocks/wall-clock@0.2.12\" \"now\" (func $wall (param i32)))
        (import \"wasi:clocks/wall-clock@0.2.12\" \"resolution\" (func $wall_resolution (param i32)))";
    let stage = Stage::of(&forge);
    for case in 0..4 {
        let nanoseconds = stage.evil(case).await.unwrap();
        assert!(nanoseconds >= 100_000, "case {case}: {nanoseconds} ns");
        assert_eq!(nanoseconds % 100_000, 0, "case {case}: {nanoseconds} ns");
    }
}
