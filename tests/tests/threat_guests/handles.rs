//! G10–G12, G14: handles, pollables and timers without end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgate::ErrorKind;

use crate::forge::Forge;
use crate::kit;
use crate::measure;
use crate::stage::{PROJECT, Stage, limits};

/// Handles one call may hold.
const HANDLES: i64 = 512;

/// Repeats a step 100,000 times or until it leaves -1; how often it went well.
fn repeat(prepare: &str, step: &str) -> String {
    format!(
        "(block (result i64)
           {prepare}
           (block $full
             (loop $more
               (br_if $full (i32.eq (i32.const -1) {step}))
               (local.set $x (i64.add (local.get $x) (i64.const 1)))
               (br_if $more (i64.lt_u (local.get $x) (i64.const 100000)))))
           (local.get $x))"
    )
}

const ROOT: &str = "(local.set $i (call $root))";
const FILE: &str = "(local.set $i (call $open_letter (call $root) (i32.const 0) (i32.const 0) (i32.const 1)))";
const STREAM: &str = "(call $read_via_stream
    (call $open_letter (call $root) (i32.const 0) (i32.const 0) (i32.const 1)) (i64.const 0) (i32.const 64))
    (local.set $i (call $ok))";

#[tokio::test(flavor = "multi_thread")]
async fn g10_handles_end_at_the_cap() {
    let _turn = measure::together();
    let refused = [
        (
            "files",
            repeat(
                ROOT,
                "(call $open_letter (local.get $i) (i32.const 0) (i32.const 0) (i32.const 1))",
            ),
        ),
        (
            "directories",
            repeat(
                ROOT,
                "(call $open_letter (local.get $i) (i32.const 1) (i32.const 2) (i32.const 1))",
            ),
        ),
        (
            "streams",
            repeat(
                FILE,
                "(block (result i32) (call $read_via_stream (local.get $i) (i64.const 0) (i32.const 64)) (call $ok))",
            ),
        ),
        (
            "listings",
            repeat(
                ROOT,
                "(block (result i32) (call $read_directory (local.get $i) (i32.const 64)) (call $ok))",
            ),
        ),
        (
            "replacements",
            repeat(
                ROOT,
                "(block (result i32) (call $begin (local.get $i) (i32.const 2) (i32.const 3) (i32.const 64)) (call $ok))",
            ),
        ),
    ];
    let ended = [
        repeat(STREAM, "(call $subscribe_input (local.get $i))"),
        repeat("", "(call $root)"),
        repeat("", "(call $timer (i64.const 1000000000))"),
        repeat("", "(call $stdout)"),
    ];
    let bodies: Vec<&str> = refused
        .iter()
        .map(|(_, body)| body)
        .chain(&ended)
        .map(String::as_str)
        .collect();
    let stage = Stage::of(&kit::guest(&bodies));
    for (case, (what, _)) in refused.iter().enumerate() {
        let count = stage.evil(case as u64).await.unwrap();
        assert!((64..=HANDLES).contains(&count), "{count} {what}");
        stage.recovers().await;
    }
    for case in refused.len()..bodies.len() {
        stage.is_ended(case as u64).await;
        stage.recovers().await;
    }
    assert_eq!(stage.entries(), PROJECT);
}

/// As many calls as may run at once, each with as many open files as it can
/// get: there are descriptors left for others, in this process and of this host.
#[tokio::test(flavor = "multi_thread")]
async fn g10_open_files_of_all_calls_leave_some_for_others() {
    let _turn = measure::alone();
    // The timer first: there is no handle left for it afterwards.
    let hold = format!(
        "(block (result i64)
           (local.set $j (call $timer (i64.const -1)))
           (drop {})
           (call $block (local.get $j))
           (i64.const 0))",
        repeat(
            ROOT,
            "(call $open_letter (local.get $i) (i32.const 0) (i32.const 0) (i32.const 1))"
        )
    );
    let mut limits = limits();
    limits.concurrency = 64;
    let stage = Arc::new(Stage::with(&[&kit::guest(&[&hold]).build()], limits));
    let calls: Vec<_> = (0..limits.concurrency - 1)
        .map(|_| {
            let stage = Arc::clone(&stage);
            tokio::spawn(async move { stage.evil_within(0, Duration::from_secs(3)).await })
        })
        .collect();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let started = Instant::now();
    let mut most = 0;
    while started.elapsed() < Duration::from_secs(2) {
        most = most.max(stage.open_files().len());
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap());
        let server = listener.accept();
        assert!(
            client.is_ok() && server.is_ok(),
            "with {most} files open: {client:?}, {server:?}"
        );
        stage.is_well().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(most > 1000, "the guests held only {most} files");
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap_err().kind, ErrorKind::Deadline);
    }
    stage.recovers().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g11_own_resources_end_at_the_cap() {
    let _turn = measure::together();
    let forge = Forge {
        world: "export things: interface { resource thing; }".to_owned(),
        ..Forge::running(
            "(loop $more
               (drop (call $new (i32.const 1)))
               (local.set $x (i64.add (local.get $x) (i64.const 1)))
               (br_if $more (i64.lt_u (local.get $x) (local.get $n))))
             (local.get $x)",
        )
        .importing("(import \"[export]things\" \"[resource-new]thing\" (func $new (param i32) (result i32)))")
    };
    let stage = Stage::of(&forge);
    assert_eq!(stage.evil(4000).await.unwrap(), 4000);
    stage.is_ended(4097).await;
    stage.is_ended(100_000_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g12_poll_lists_are_bounded() {
    let _turn = measure::alone();
    // A list of one pollable, so many times; the number is the count.
    let body = format!(
        "{STREAM}
         (local.set $j (call $subscribe_input (local.get $i)))
         (local.set $k (call $allocate (i32.shl (i32.wrap_i64 (local.get $n)) (i32.const 2))))
         (block $filled
           (loop $fill
             (br_if $filled (i64.ge_u (local.get $x) (local.get $n)))
             (i32.store
               (i32.add (local.get $k) (i32.shl (i32.wrap_i64 (local.get $x)) (i32.const 2)))
               (local.get $j))
             (local.set $x (i64.add (local.get $x) (i64.const 1)))
             (br $fill)))
         (call $poll (local.get $k) (i32.wrap_i64 (local.get $n)) (i32.const 64))
         (i64.extend_i32_u (i32.load (i32.const 68)))"
    );
    let forge = Forge {
        items: kit::ITEMS.to_owned(),
        ..Forge::running(&body)
    };
    let stage = Stage::of(&forge.importing(kit::IMPORTS).with_files());
    assert_eq!(stage.evil(1).await.unwrap(), 1);
    assert_eq!(stage.evil(1000).await.unwrap(), 1000, "duplicates are all reported");
    let before = measure::resident();
    measure::reset_peak();
    stage.is_ended(0).await;
    stage.is_ended(4_000_000).await;
    stage.is_ended(32_000_000).await;
    let grown = measure::peak().saturating_sub(before);
    assert!(
        grown <= crate::stage::MEMORY + (16 << 20),
        "resident memory grew by {grown} bytes"
    );
    stage.recovers().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g14_sleeping_for_ever_ends_by_the_deadline() {
    let _turn = measure::together();
    let stage = Arc::new(Stage::of(&kit::guest(&[
        "(block (result i64) (call $block (call $timer (i64.const -1))) (i64.const 0))",
        "(block (result i64) (call $block (call $alarm (i64.const -1))) (i64.const 0))",
        "(block (result i64)
           (loop $nap (call $block (call $timer (i64.const 1000000))) (br $nap)) (i64.const 0))",
        "(block (result i64)
           (i32.store (i32.const 128) (call $timer (i64.const 9223372036854775807)))
           (i32.store (i32.const 132) (call $timer (i64.const 9223372036854775808)))
           (call $poll (i32.const 128) (i32.const 2) (i32.const 64))
           (i64.const 0))",
    ])));
    for case in [0, 1, 3] {
        stage.ends_by_deadline(case).await;
    }
    // The naps leak their timers, so they end at the cap or at the deadline.
    let error = stage.evil_within(2, Duration::from_millis(300)).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Deadline | ErrorKind::Failed), "{error}");
    // More sleepers than may run at once delay the others by their deadline, not for ever.
    let sleepers: Vec<_> = (0..40)
        .map(|_| {
            let stage = Arc::clone(&stage);
            tokio::spawn(async move { stage.evil_within(0, Duration::from_millis(500)).await })
        })
        .collect();
    for sleeper in sleepers {
        assert_eq!(sleeper.await.unwrap().unwrap_err().kind, ErrorKind::Deadline);
    }
    stage.is_well().await;
}
