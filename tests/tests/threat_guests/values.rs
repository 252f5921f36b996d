//! G09, G13: values of absurd size or shape at the boundary.

use std::time::Duration;

use toolgate::ErrorKind;

use crate::forge::Forge;
use crate::kit;
use crate::measure;
use crate::stage::{Stage, limits, refusal};

/// Memory for lists that are really there.
const LARGE: u64 = 256 << 20;

fn large(forge: &Forge) -> Stage {
    let mut limits = limits();
    limits.memory_bytes = LARGE;
    Stage::with(&[&forge.build()], limits)
}

#[tokio::test(flavor = "multi_thread")]
async fn g09_arguments_of_absurd_size_or_shape_end_the_call() {
    let _turn = measure::alone();
    let log = |pointer: &str, length: &str| {
        format!(
            "(block (result i64) (call $log (i32.const 2) (i32.const {pointer}) (i32.const {length})) (i64.const 1))"
        )
    };
    let grown = |pointer: &str, length: &str| {
        format!(
            "(block (result i64) (drop (memory.grow (i32.const 3400))) (drop {}) (i64.const 1))",
            log(pointer, length)
        )
    };
    let text = |bytes: &str| {
        format!(
            "(block (result i64) (i64.store (i32.const 128) (i64.const {bytes})) (drop {}) (i64.const 1))",
            log("128", "8")
        )
    };
    let bodies = [
        ("1 GiB beyond the memory", log("0", "1073741824")),
        ("a length that wraps", log("65536", "-1")),
        ("a pointer at the end", log("-1", "1")),
        ("200 MiB that are there", grown("0", "209715200")),
        ("20 MiB that are there", grown("0", "20971520")),
        ("no UTF-8", text("0xff")),
        ("half a character", text("0xc3")),
        ("a surrogate", text("0x80a0ed")),
        ("more than four bytes", text("0x80808080f8")),
        (
            "a list of 10^7 handles",
            "(block (result i64)
               (drop (memory.grow (i32.const 1000)))
               (call $poll (i32.const 0) (i32.const 10000000) (i32.const 64))
               (i64.const 1))"
                .to_owned(),
        ),
        (
            "a misaligned list",
            "(block (result i64) (call $poll (i32.const 129) (i32.const 1) (i32.const 64)) (i64.const 1))".to_owned(),
        ),
        (
            "a misaligned result area",
            "(block (result i64) (call $get_directories (i32.const 65)) (i64.const 1))".to_owned(),
        ),
        (
            "a result area beyond the memory",
            "(block (result i64) (call $get_directories (i32.const -4)) (i64.const 1))".to_owned(),
        ),
        (
            "an unknown log level",
            "(block (result i64) (call $log (i32.const 5) (i32.const 0) (i32.const 0)) (i64.const 1))".to_owned(),
        ),
    ];
    let all: Vec<&str> = bodies.iter().map(|(_, body)| body.as_str()).collect();
    let stage = large(&kit::guest(&all));
    measure::reset_peak();
    let before = measure::resident();
    for (case, (what, _)) in bodies.iter().enumerate() {
        let message = stage.is_ended(case as u64).await;
        assert!(message.contains("the details are in the log"), "{what}: {message}");
    }
    let grown = measure::peak().saturating_sub(before);
    assert!(grown <= LARGE + (16 << 20), "resident memory grew by {grown} bytes");
}

#[test]
fn g09_definitions_of_absurd_size_or_shape_are_refused() {
    let _turn = measure::together();
    // The list lies at 4096, the first record at 4104, its name in front.
    for (what, lie) in [
        (
            "a list of 10^7 records",
            "(i32.store (i32.const 4100) (i32.const 10000000))",
        ),
        ("a list of 2^32 records", "(i32.store (i32.const 4100) (i32.const -1))"),
        ("a misaligned list", "(i32.store (i32.const 4096) (i32.const 4105))"),
        (
            "a list beyond the memory",
            "(i32.store (i32.const 4096) (i32.const -8))",
        ),
        ("a name of 1 GiB", "(i32.store (i32.const 4108) (i32.const 1073741824))"),
        (
            "a name that is no text",
            "(i32.store8 (i32.load (i32.const 4104)) (i32.const 255))",
        ),
        (
            "an unknown target",
            "(i32.store (i32.const 4140) (i32.const 0)) (i32.store (i32.const 4144) (i32.const 1))
             (i32.store8 (i32.const 8) (i32.const 77))",
        ),
        (
            "an option that is neither",
            "(i32.store8 (i32.const 4160) (i32.const 9))",
        ),
    ] {
        let forge = Forge {
            in_definitions: lie.to_owned(),
            ..Forge::default()
        };
        let message = refusal(&forge.build());
        assert!(message.contains("cannot say what its tools are"), "{what}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g13_random_bytes_are_bounded() {
    let _turn = measure::together();
    // The number is the count; the heap is reset, so that only the host pays.
    let forge = Forge::running(
        "(local.set $i (global.get $heap))
         (if (i64.eq (local.get $n) (i64.const 7))
           (then
             (loop $more
               (global.set $heap (local.get $i))
               (call $random (i64.const 65536) (i32.const 64))
               (br $more))))
         (call $random (local.get $n) (i32.const 64))
         (i64.extend_i32_u (i32.load (i32.const 68)))",
    );
    let stage = Stage::of(&forge.importing(kit::IMPORTS).with_files());
    assert_eq!(stage.evil(65_536).await.unwrap(), 65_536);
    for count in [65_537, 1 << 32, u64::MAX >> 1] {
        stage.is_ended(count).await;
    }
    let (looping, honest) = tokio::join!(stage.evil_within(7, Duration::from_millis(500)), async {
        for _ in 0..20 {
            stage.is_well().await;
        }
    });
    assert_eq!(looping.unwrap_err().kind, ErrorKind::Deadline);
    let () = honest;
}
