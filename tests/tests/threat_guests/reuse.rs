//! G21, G22: memory is used again by the next call, and nothing of the last one is in it; nothing grows.

use serde_json::json;
use toolgate_tests::rig;

use crate::forge::Forge;
use crate::measure;
use crate::stage::{Stage, limits};

/// What a call leaves in its memory for the next one to find: 8 bytes, everywhere.
const CANARY: &str = "0x5ca1ab1ec0ffee11";

/// Takes `n / 10` pages. An odd number fills them with the canary; an even one
/// counts canaries in what it got.
fn rememberer() -> Forge {
    Forge {
        items: "(table $table 100 funcref) (elem declare func $allocate)".to_owned(),
        ..Forge::running(&format!(
            "(local.set $i (memory.grow (i32.wrap_i64 (i64.div_u (local.get $n) (i64.const 10)))))
             (if (i32.eq (local.get $i) (i32.const -1)) (then unreachable))
             (local.set $i (i32.shl (local.get $i) (i32.const 16)))
             (local.set $j (i32.shl (memory.size) (i32.const 16)))
             (local.set $z (i64.sub (i64.const {CANARY}) (i64.const 0)))
             (if (i64.eqz (i64.rem_u (local.get $n) (i64.const 2)))
               (then
                 ;; A table that was used before is empty too.
                 (loop $element
                   (if (i32.eqz (ref.is_null (table.get $table (local.get $k))))
                     (then (local.set $x (i64.add (local.get $x) (i64.const 1)))))
                   (local.set $k (i32.add (local.get $k) (i32.const 1)))
                   (br_if $element (i32.lt_u (local.get $k) (i32.const 100))))
                 (loop $word
                   (if (i64.ne (i64.load (local.get $i)) (i64.const 0))
                     (then (local.set $x (i64.add (local.get $x) (i64.const 1)))))
                   (local.set $i (i32.add (local.get $i) (i32.const 8)))
                   (br_if $word (i32.lt_u (local.get $i) (local.get $j)))))
               (else
                 (table.fill $table (i32.const 0) (ref.func $allocate) (i32.const 100))
                 (loop $word
                   (i64.store (local.get $i) (local.get $z))
                   (local.set $i (i32.add (local.get $i) (i32.const 8)))
                   (br_if $word (i32.lt_u (local.get $i) (local.get $j))))))
             (local.get $x)"
        ))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g21_memory_of_the_last_call_is_gone() {
    let _turn = measure::together();
    let mut limits = limits();
    // One slot, used again by each call.
    limits.concurrency = 1;
    let stage = Stage::with(&[&rememberer().build()], limits);
    let rounds = if soak() { 10_000 } else { 1000 };
    for round in 0..rounds {
        // Now and then more than the part of a slot that stays mapped (16 MiB).
        let pages = if round % 50 == 0 { 400 } else { 1 + round % 40 };
        assert_eq!(stage.evil(pages * 10 + 1).await.unwrap(), 0);
        let found = stage.evil(pages * 10).await.unwrap();
        assert_eq!(found, 0, "round {round}: {found} words or elements of the last call");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g21_globals_of_the_last_call_are_gone() {
    let _turn = measure::together();
    let stage = Stage::with_plugins(&[rig::guest("hog")], limits());
    for _ in 0..200 {
        assert_eq!(stage.rig.call("count", json!({})).await.unwrap()["taken"], 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g22_many_calls_leave_no_trend() {
    let _turn = measure::alone();
    let stage = Stage::with_plugins(&[rig::guest("hog")], limits());
    let calls: u64 = if soak() { 1_000_000 } else { 20_000 };
    let session = stage.rig.session();
    let call = || async {
        let text = json!({"text": "the same text every time"});
        session.call(toolgate::Call::new("echo", text)).await.unwrap();
    };
    let descriptors = || measure::open().len();
    // What is made once is made now.
    for _ in 0..2000 {
        call().await;
    }
    stage.is_well().await;
    let (open, resident) = (descriptors(), measure::resident());
    for _ in 0..calls {
        call().await;
    }
    assert_eq!(descriptors(), open, "descriptors");
    let grown = measure::resident().saturating_sub(resident);
    // One byte a call, and 2 MiB for what the allocator keeps.
    assert!(
        grown <= calls + (2 << 20),
        "resident memory grew by {grown} bytes in {calls} calls"
    );
    // A call that reads a file, and one that fails.
    for _ in 0..calls / 20 {
        stage.is_well().await;
        assert!(stage.rig.call("read_file", json!({"path": "missing"})).await.is_err());
    }
    assert_eq!(descriptors(), open, "descriptors");
    crate::panics::none();
}

/// Whether there is time for the long form of a row.
fn soak() -> bool {
    std::env::var_os("TOOLGATE_SOAK").is_some()
}
