//! G04–G06: loops without end, wherever guest code runs, and recursion.

use std::time::Instant;

use toolgate::ErrorKind;

use crate::forge::Forge;
use crate::measure;
use crate::stage::{GRACE, Stage, limits, refusal};

const FOREVER: &str = "(loop $forever (br $forever))";
/// How long a component may take to say what its tools are.
const LOAD_DEADLINE: std::time::Duration = std::time::Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn g04_a_loop_in_an_export_ends_by_the_deadline() {
    let _turn = measure::together();
    Stage::of(&Forge::running(&format!("{FOREVER} (i64.const 0)")))
        .ends_by_deadline(0)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g04_a_loop_in_realloc_ends_by_the_deadline() {
    let _turn = measure::together();
    // Nothing but the arguments {"n":100} has nine bytes.
    let forge = Forge {
        in_realloc: format!("(if (i32.eq (local.get $len) (i32.const 9)) (then {FOREVER}))"),
        ..Forge::default()
    };
    let stage = Stage::of(&forge);
    assert_eq!(stage.evil(1).await.unwrap(), 0, "only nine bytes are endless");
    stage.ends_by_deadline(100).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g04_a_loop_after_the_return_ends_by_the_deadline() {
    let _turn = measure::together();
    let forge = Forge {
        in_post_return: FOREVER.to_owned(),
        ..Forge::default()
    };
    Stage::of(&forge).ends_by_deadline(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g04_a_loop_in_a_destructor_ends_by_the_deadline() {
    let _turn = measure::together();
    let forge = Forge {
        world: "export things: interface { resource thing; }".to_owned(),
        items: format!("(func (export \"things#[dtor]thing\") (param i32) {FOREVER})"),
        ..Forge::running("(call $drop (call $new (i32.const 1))) (i64.const 0)").importing(
            "(import \"[export]things\" \"[resource-new]thing\" (func $new (param i32) (result i32)))
             (import \"[export]things\" \"[resource-drop]thing\" (func $drop (param i32)))",
        )
    };
    Stage::of(&forge).ends_by_deadline(0).await;
}

#[test]
fn g04_a_loop_while_loading_ends() {
    let _turn = measure::together();
    let cases = [
        Forge {
            in_definitions: FOREVER.to_owned(),
            ..Forge::default()
        },
        Forge {
            in_start: FOREVER.to_owned(),
            ..Forge::default()
        },
        Forge {
            in_realloc: FOREVER.to_owned(),
            ..Forge::default()
        },
    ];
    std::thread::scope(|scope| {
        for forge in &cases {
            scope.spawn(move || {
                let component = forge.build();
                let started = Instant::now();
                let message = refusal(&component);
                let took = started.elapsed();
                assert!(message.contains("more than 5 s"), "{message}");
                assert!(took < LOAD_DEADLINE + GRACE, "took {took:?}");
            });
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn g05_operations_on_all_memory_end_by_the_deadline() {
    let _turn = measure::together();
    let all = "(i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 16))";
    let forge = Forge {
        items: "(table $table 19000 funcref)".to_owned(),
        ..Forge::running(&format!(
            "(drop (memory.grow (i32.const 3800)))
             (if (i64.eq (local.get $n) (i64.const 1))
               (then (loop $l (memory.fill (i32.const 0) (i32.const 7) {all}) (br $l))))
             (if (i64.eq (local.get $n) (i64.const 2))
               (then (loop $l (memory.copy (i32.const 16) (i32.const 0) {all}) (br $l))))
             (if (i64.eq (local.get $n) (i64.const 3))
               (then (loop $l (table.copy (i32.const 1) (i32.const 0) (i32.const 18999)) (br $l))))
             (if (i64.eq (local.get $n) (i64.const 4))
               (then (loop $l (table.fill $table (i32.const 0) (ref.null func) (i32.const 19000)) (br $l))))
             (i64.extend_i32_u (memory.size))"
        ))
    };
    let mut limits = limits();
    limits.memory_bytes = 256 << 20;
    let stage = Stage::with(&[&forge.build()], limits);
    assert!(stage.evil(0).await.unwrap() > 3800, "the guest has the memory to fill");
    for case in 1..=4 {
        stage.ends_by_deadline(case).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g06_recursion_is_ended() {
    let _turn = measure::together();
    let forge = Forge {
        items: "
            (type $down (func (param i64) (result i64)))
            (table $table funcref (elem $plain $indirect $calling))
            (func $plain (type $down) (i64.add (i64.const 1) (call $plain (local.get 0))))
            (func $indirect (type $down)
              (i64.add (i64.const 1) (call_indirect (type $down) (local.get 0) (i32.const 1))))
            ;; The host's own functions run at every depth, on what is left of the stack.
            (func $calling (type $down)
              (drop (call $now))
              (call $log (i32.const 0) (i32.const 0) (i32.const 8))
              (i64.add (i64.const 1) (call $calling (local.get 0))))"
            .to_owned(),
        in_realloc: "(if (i32.eq (local.get $len) (i32.const 9)) (then (drop (call $plain (i64.const 0)))))".to_owned(),
        ..Forge::running("(call_indirect (type $down) (local.get $n) (i32.wrap_i64 (local.get $n)))").importing(
            "(import \"wasi:clocks/monotonic-clock@0.2.12\" \"now\" (func $now (result i64)))
             (import \"toolgate:plugin/log@0.1.0\" \"log\" (func $log (param i32 i32 i32)))",
        )
    };
    let stage = Stage::of(&forge);
    for case in [0, 1, 2, 100] {
        let error = stage.evil(case).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Failed, "case {case}: {error}");
        assert!(error.message.contains("recursed too deeply"), "case {case}: {error}");
        stage.is_well().await;
    }
}

/// A guest that calls the host while the host writes into its memory would run
/// host and guest inside each other without end.
#[tokio::test(flavor = "multi_thread")]
async fn g06_calling_the_host_while_it_lowers_values_ends_the_call() {
    let _turn = measure::together();
    let forge = Forge {
        in_realloc: "(if (i32.eq (local.get $len) (i32.const 9)) (then (call $random (i64.const 9) (i32.const 64))))"
            .to_owned(),
        ..Forge::default()
    };
    let stage = Stage::of(
        &forge.importing("(import \"wasi:random/random@0.2.12\" \"get-random-bytes\" (func $random (param i64 i32)))"),
    );
    assert_eq!(stage.evil(1).await.unwrap(), 0, "only nine bytes are hostile");
    stage.is_ended(100).await;
}
