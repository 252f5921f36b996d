//! G01–G03: memory and tables without end.

use std::sync::Arc;

use toolgate::ErrorKind;

use crate::binary::{Module, append_instances};
use crate::forge::Forge;
use crate::stage::{MEMORY, Stage, limits, refusal};
use crate::{binary, measure};

/// What a call may cost beyond its memory: its stack, its slot, and what the allocator keeps.
const SLACK: u64 = 16 << 20;

/// Case 0 does nothing, 1 asks for 4 GiB at once, 2 takes page by page and
/// touches each, 3 grows and then needs what it did not get.
const GROWER: &str = "
    (if (i64.eq (local.get $n) (i64.const 1))
      (then (return (i64.extend_i32_s (memory.grow (i32.const 65535))))))
    (if (i64.eq (local.get $n) (i64.const 2))
      (then
        (loop $more
          (local.set $i (memory.grow (i32.const 1)))
          (if (i32.ne (local.get $i) (i32.const -1))
            (then
              (i32.store (i32.shl (local.get $i) (i32.const 16)) (i32.const 1))
              (br $more))))
        (return (i64.extend_i32_u (memory.size)))))
    (if (i64.eq (local.get $n) (i64.const 3))
      (then (drop (memory.grow (i32.const 65535))) unreachable))
    (i64.const 0)";

#[tokio::test(flavor = "multi_thread")]
async fn g01_memory_grow_is_refused_at_the_limit() {
    let _turn = measure::alone();
    let stage = Stage::of(&Forge::running(GROWER));
    assert_eq!(stage.evil(0).await.unwrap(), 0);
    measure::reset_peak();
    let before = measure::resident();
    assert_eq!(stage.evil(1).await.unwrap(), -1, "4 GiB at once");
    let pages = stage.evil(2).await.unwrap();
    let limit = i64::try_from(MEMORY >> 16).unwrap();
    assert!(pages <= limit, "{pages} pages of {limit}");
    assert!(
        pages > limit - 64,
        "an honest tool gets what the limit says, not {pages} of {limit}"
    );
    let grown = measure::peak().saturating_sub(before);
    assert!(grown <= MEMORY + SLACK, "resident memory grew by {grown} bytes");
    let error = stage.evil(3).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit, "{error}");
    assert!(
        error.message.contains("64 MiB") && error.message.contains("limits.memory_bytes"),
        "{error}"
    );
    stage.is_well().await;
}

#[test]
fn g01_memories_of_many_instances_count_together() {
    let _turn = measure::alone();
    measure::reset_peak();
    let before = measure::resident();
    let honest = Forge::default().build();
    // 256 MiB each, refused by their number.
    let many = refusal(&append_instances(&honest, &Module::with_memory(4096), 64));
    assert!(many.contains("instances") || many.contains("memories"), "{many}");
    // Few enough, but together above what one call may use.
    let large = refusal(&append_instances(&honest, &Module::with_memory(2048), 3));
    assert!(large.contains("memory"), "{large}");
    let initial = Forge {
        memory: "65536".to_owned(),
        ..Forge::default()
    };
    let initial = refusal(&initial.build());
    assert!(initial.contains("memory"), "{initial}");
    let grown = measure::peak().saturating_sub(before);
    assert!(grown <= MEMORY + SLACK, "resident memory grew by {grown} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn g02_many_calls_that_touch_all_their_memory_queue() {
    let _turn = measure::alone();
    let stage = Arc::new(Stage::of(&Forge::running(GROWER)));
    assert_eq!(stage.evil(0).await.unwrap(), 0);
    measure::reset_peak();
    let before = measure::resident();
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let stage = Arc::clone(&stage);
            tokio::spawn(async move { stage.evil(2).await })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap().unwrap() > 0);
    }
    let grown = measure::peak().saturating_sub(before);
    let concurrency = u64::from(limits().concurrency);
    assert!(
        grown <= concurrency * (MEMORY + SLACK),
        "resident memory grew by {grown} bytes"
    );
    stage.is_well().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g03_table_grow_is_refused() {
    let _turn = measure::together();
    let forge = Forge {
        items: "(table $table 1 funcref)".to_owned(),
        ..Forge::running(
            "(if (i64.eq (local.get $n) (i64.const 1))
               (then (return (i64.extend_i32_s (table.grow $table (ref.null func) (i32.const -1))))))
             (loop $more
               (br_if $more (i32.ne (i32.const -1) (table.grow $table (ref.null func) (i32.const 100)))))
             (i64.extend_i32_u (table.size $table))",
        )
    };
    let stage = Stage::of(&forge);
    assert_eq!(stage.evil(1).await.unwrap(), -1);
    let elements = stage.evil(2).await.unwrap();
    assert!((1000..=20_000).contains(&elements), "{elements} elements");
    stage.is_well().await;
}

#[test]
fn g03_tables_without_end_are_refused_at_load() {
    let _turn = measure::together();
    for (what, items) in [
        ("a huge minimum", "(table 4294967295 funcref)".to_owned()),
        ("a minimum beyond the slot", "(table 1000000 funcref)".to_owned()),
        ("10,000 tables", "(table 1 funcref)".repeat(10_000)),
        ("more tables than a component may have", "(table 1 funcref)".repeat(32)),
    ] {
        let forge = Forge {
            items,
            ..Forge::default()
        };
        let message = refusal(&forge.build());
        assert!(message.contains("table"), "{what}: {message}");
    }
    // Counted over all instances of the component.
    let message = refusal(&append_instances(
        &Forge::default().build(),
        &Module::default().section(binary::TABLE, &[1, 0x70, 0, 0xff, 0x7f]),
        15,
    ));
    assert!(message.contains("table") || message.contains("instances"), "{message}");
}
