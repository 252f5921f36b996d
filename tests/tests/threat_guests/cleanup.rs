//! G19, G20: calls that end in the middle of something leave nothing behind.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate::{Call, ErrorKind};
use toolgate_tests::rig;

use crate::kit;
use crate::measure;
use crate::stage::{PROJECT, Stage, limits};

/// Opens files, a listing and replacements, of a file that exists and of one that does not.
const HOLD: &str = "(block
    (local.set $i (call $root))
    (drop (call $open_letter (local.get $i) (i32.const 0) (i32.const 0) (i32.const 3)))
    (drop (call $open_letter (local.get $i) (i32.const 1) (i32.const 2) (i32.const 1)))
    (call $read_directory (local.get $i) (i32.const 64))
    (call $begin (local.get $i) (i32.const 0) (i32.const 1) (i32.const 64))
    (call $replace (call $ok) (i32.const 131072) (i32.const 65536) (i32.const 80))
    (call $begin (local.get $i) (i32.const 2) (i32.const 3) (i32.const 64))
    (call $replace (call $ok) (i32.const 131072) (i32.const 65536) (i32.const 80)))";

fn holding(ending: &str) -> String {
    format!("(block (result i64) {HOLD} {ending})")
}

/// Notes of unfinished replacements below this project.
fn pending(stage: &Stage) -> Vec<String> {
    let project = stage.rig.inside();
    let Ok(notes) = std::fs::read_dir(rig::target("test-state").join("pending")) else {
        return Vec::new();
    };
    notes
        .filter_map(|note| std::fs::read_to_string(note.ok()?.path()).ok())
        .filter(|path| std::path::Path::new(path).starts_with(&project))
        .collect()
}

fn nothing_left(stage: &Stage) {
    assert_eq!(stage.entries(), PROJECT);
    assert_eq!(pending(stage), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn g19_a_trap_in_the_middle_leaves_nothing() {
    let _turn = measure::together();
    let mut forge = kit::guest(&[
        &holding("unreachable"),
        &holding("(i64.div_u (i64.const 1) (i64.const 0))"),
        &holding("(i64.load (i32.const -8))"),
        &holding("(call $exit (i32.const 0)) unreachable"),
        &holding("(call $exit (i32.const 1)) unreachable"),
        &holding("(i64.const 5)"),
    ]);
    forge.imports += "(import \"wasi:cli/exit@0.2.12\" \"exit\" (func $exit (param i32)))";
    let stage = Stage::of(&forge);
    for case in 0..5 {
        let message = stage.is_ended(case).await;
        assert!(message.contains("the details are in the log"), "case {case}: {message}");
        nothing_left(&stage);
        stage.recovers().await;
    }
    // Returning without an end to what was begun is not an error, and leaves nothing either.
    assert_eq!(stage.evil(5).await.unwrap(), 5);
    nothing_left(&stage);
    stage.recovers().await;
    // More breakdowns than calls may run at the same time: none keeps its place.
    for _ in 0..3 * limits().concurrency {
        stage.evil(0).await.unwrap_err();
    }
    stage.is_well().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g19_a_plugin_with_the_sdk_that_breaks_down_leaves_nothing() {
    let _turn = measure::together();
    let stage = Stage::with_plugins(&[rig::guest("hog")], limits());
    for (tool, arguments) in [
        ("trap", json!({})),
        ("panic", json!({})),
        ("hold_then_trap", json!({"path": "f", "count": 5})),
        ("hold_then_trap", json!({"path": "new", "count": 5})),
        ("hog_memory", json!({"mib": 200})),
        ("resources", json!({"path": "f", "count": 100_000})),
        ("log_flood", json!({"lines": 5000})),
    ] {
        match stage.rig.call(tool, arguments).await {
            Ok(result) => assert!(
                matches!(tool, "hog_memory" | "resources" | "log_flood"),
                "{tool}: {result:?}"
            ),
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::Failed, "{tool}: {error}");
                assert!(error.message.starts_with(tool), "{error}");
            }
        }
        nothing_left(&stage);
        stage.recovers().await;
        crate::panics::none();
        assert_eq!(
            stage.rig.call("count", json!({})).await.unwrap()["taken"],
            1,
            "after {tool}"
        );
        stage.is_well().await;
    }
}

/// A future that is given up after so many polls.
struct Polls<F> {
    inner: Pin<Box<F>>,
    left: usize,
}

impl<F: Future> Future for Polls<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.left -= 1;
        if self.left == 0 {
            // Given up at the next turn, without waiting for anybody.
            context.waker().wake_by_ref();
        }
        self.inner.as_mut().poll(context).map(Some)
    }
}

/// Calls that are given up at any moment.
fn victims() -> Vec<(&'static str, Value)> {
    vec![
        (
            "write_file",
            json!({"path": "f", "content": "content\n".repeat(100_000)}),
        ),
        (
            "write_file",
            json!({"path": "d/new/deep/file", "content": "x".repeat(1_000_000)}),
        ),
        ("grep", json!({"pattern": "c.*t", "path": "."})),
        ("list_dir", json!({"path": "d"})),
        ("evil", json!({"n": 0})),
        ("evil", json!({"n": 1})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn g20_calls_can_be_given_up_at_any_moment() {
    let _turn = measure::together();
    let stage = Stage::of(&kit::guest(&[
        &holding("(loop $forever (br $forever)) unreachable"),
        &holding("(call $block (call $timer (i64.const -1))) unreachable"),
    ]));
    let mut given_up = 0;
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..60_usize {
        for (tool, arguments) in victims() {
            let session = stage.rig.session();
            // Endless ones end here where nobody gives them up.
            let deadline = Duration::from_millis(if tool == "evil" { 100 } else { 20_000 });
            let call = session.call(Call::new(tool, arguments).deadline(deadline));
            let done = if round < 10 {
                Polls {
                    inner: Box::pin(call),
                    left: round,
                }
                .await
                .is_some()
            } else {
                // xorshift: any time up to 8 ms.
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let patience = Duration::from_micros(random % 8000);
                tokio::time::timeout(patience, call).await.is_ok()
            };
            given_up += usize::from(!done);
        }
        // What was given up has ended a tick later and has not half-changed anything.
        let content = std::fs::read_to_string(stage.rig.inside().join("f")).unwrap();
        assert!(
            content == "content\n" || content.len() == 800_000,
            "{} bytes",
            content.len()
        );
        stage.is_well().await;
    }
    assert!(given_up > 100, "only {given_up} calls were given up");
    stage.recovers().await;
    assert_eq!(pending(&stage), Vec::<String>::new());
    for entry in stage.entries() {
        let known = PROJECT.contains(&entry.as_str()) || "d/new/deep/file".starts_with(&entry);
        assert!(known, "{entry} was left behind");
    }
    let deep = stage.rig.inside().join("d/new/deep/file");
    assert!(
        std::fs::metadata(deep).is_ok_and(|file| file.len() == 1_000_000),
        "given up or done, nothing between"
    );
    // Every place for a call is free again: as many as may run at once run at once.
    let stage = Arc::new(stage);
    let calls: Vec<_> = (0..limits().concurrency)
        .map(|_| {
            let stage = Arc::clone(&stage);
            tokio::spawn(async move { stage.evil_within(1, Duration::from_millis(500)).await })
        })
        .collect();
    for call in calls {
        let error = call.await.unwrap().unwrap_err();
        assert!(error.message.contains("of running"), "{error}");
    }
    crate::panics::none();
}
