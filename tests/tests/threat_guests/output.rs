//! G07, G08: output without end.

use crate::forge::Forge;
use crate::kit;
use crate::measure;
use crate::stage::{MEMORY, Stage};

/// Bytes of standard output and error that a call may write.
const OUTPUT: i64 = 64 << 10;

/// Writes to a stream until it refuses; the number of bytes it took.
fn flood(stream: &str, call: &str, bytes: u64) -> String {
    format!(
        "(block (result i64)
           (local.set $i {stream})
           (loop $more
             {call}
             (if (i32.eqz (i32.load8_u (i32.const 64)))
               (then
                 (local.set $x (i64.add (local.get $x) (i64.const {bytes})))
                 (br_if $more (i64.lt_u (local.get $x) (i64.const 10000000000))))))
           (local.get $x))"
    )
}

fn flooder(stream: &str) -> Forge {
    kit::guest(&[
        &flood(
            stream,
            "(call $write_and_flush (local.get $i) (i32.const 0) (i32.const 4096) (i32.const 64))",
            4096,
        ),
        &flood(
            stream,
            "(call $write_zeroes_and_flush (local.get $i) (i64.const 4096) (i32.const 64))",
            4096,
        ),
        &flood(
            stream,
            "(call $write_and_flush (local.get $i) (i32.const 0) (i32.const 1) (i32.const 64))",
            1,
        ),
        // Asks first, as it should, and writes all that it may.
        &flood(
            stream,
            "(call $check_write (local.get $i) (i32.const 64))
             (if (i32.eqz (i32.load8_u (i32.const 64)))
               (then (call $write_zeroes (local.get $i) (i64.load (i32.const 72)) (i32.const 64))))",
            1,
        ),
        // More than was allowed, without asking.
        "(block (result i64)
           (loop $more (call $write (STREAM) (i32.const 0) (i32.const 65537) (i32.const 64)) (br $more))
           (i64.const 0))"
            .replace("(STREAM)", stream)
            .as_str(),
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn g07_output_is_cut_off() {
    let _turn = measure::alone();
    for stream in ["(call $stdout)", "(call $stderr)"] {
        let stage = Stage::of(&flooder(stream));
        measure::reset_peak();
        let before = measure::resident();
        for case in 0..4 {
            let taken = stage.evil(case).await.unwrap();
            assert!((1..=OUTPUT).contains(&taken), "{stream}, case {case}: {taken} bytes");
        }
        stage.is_ended(4).await;
        let grown = measure::peak().saturating_sub(before);
        assert!(
            grown <= MEMORY + (16 << 20),
            "{stream}: resident memory grew by {grown} bytes"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g07_a_splice_from_a_file_is_cut_off_too() {
    let _turn = measure::together();
    let splice = "(block (result i64)
        (local.set $i (call $open_letter (call $root) (i32.const 0) (i32.const 0) (i32.const 1)))
        (call $read_via_stream (local.get $i) (i64.const 0) (i32.const 64))
        (local.set $i (call $ok))
        (local.set $j (call $stdout))
        (loop $more
          (call $splice (local.get $j) (local.get $i) (i64.const -1) (i32.const 64))
          (if (i32.eqz (i32.load8_u (i32.const 64)))
            (then
              (local.set $x (i64.add (local.get $x) (i64.load (i32.const 72))))
              (br $more))))
        (local.get $x))";
    let stage = Stage::of(&kit::guest(&[splice]));
    std::fs::write(stage.rig.inside().join("f"), vec![b'x'; 1 << 20]).unwrap();
    let taken = stage.evil(0).await.unwrap();
    assert!((1..=OUTPUT).contains(&taken), "{taken} bytes");
    stage.recovers().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g07_the_log_is_muted() {
    let _turn = measure::together();
    let stage = Stage::of(&kit::guest(&["(block (result i64)
        (loop $more
          (call $log (i32.const 4) (i32.const 131072) (i32.const 100000))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $more (i32.lt_u (local.get $i) (i32.const 10000))))
        (i64.extend_i32_u (local.get $i)))"]));
    assert_eq!(stage.evil(0).await.unwrap(), 10_000);
    stage.is_well().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g08_zeroes_without_end_end_the_call() {
    let _turn = measure::alone();
    let file = "(block (result i32)
        (call $write_via_stream
          (call $open_letter (call $root) (i32.const 0) (i32.const 0) (i32.const 2)) (i64.const 0) (i32.const 64))
        (call $ok))";
    let mut bodies = Vec::new();
    for stream in ["(call $stdout)", "(call $stderr)", file] {
        for call in ["$write_zeroes", "$write_zeroes_and_flush"] {
            for count in ["-1", "9223372036854775807", "4294967296"] {
                bodies.push(format!(
                    "(block (result i64)
                       (local.set $i {stream})
                       (call $check_write (local.get $i) (i32.const 64))
                       (call {call} (local.get $i) (i64.const {count}) (i32.const 64))
                       (i64.extend_i32_u (i32.load8_u (i32.const 64))))"
                ));
            }
        }
    }
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let stage = Stage::of(&kit::guest(&bodies));
    measure::reset_peak();
    let before = measure::resident();
    for case in 0..bodies.len() as u64 {
        stage.is_ended(case).await;
    }
    let grown = measure::peak().saturating_sub(before);
    assert!(grown <= MEMORY + (16 << 20), "resident memory grew by {grown} bytes");
    let size = std::fs::metadata(stage.rig.inside().join("f")).unwrap().len();
    assert!(size <= 64 << 10, "the file has {size} bytes");
    stage.recovers().await;
}
