//! F18, F19: files that pretend to be huge, and guests that write without end.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::Config;

use crate::probe::{Guest, Op, is_ok, on, op, open};

#[test]
fn f18_no_file_is_made_huge() {
    let guest = Guest::new(Config::default(), |base| fs::write(base.join("W/f"), "inside").unwrap());
    let limit = Config::default().limits.file_bytes;
    let mut ops = vec![open("f", "rw")];
    for size in [
        limit + 1,
        1 << 40,
        1 << 62,
        (1 << 63) - 1,
        1 << 63,
        u64::MAX - 1,
        u64::MAX,
    ] {
        ops.extend([
            op("set_size").at("f").offset(size),
            op("write").at("f").offset(size).text("x"),
            op("write_stream").at("f").offset(size).text("x"),
            op("zeroes").at("f").offset(size).length(9),
        ]);
    }
    for (op, outcome) in ops.iter().zip(guest.run(&ops)).skip(1) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    // Reading there is the end of the file, and no error.
    let reads = [1 << 62, 1 << 63, u64::MAX].map(|offset| op("read").at("f").offset(offset).length(9));
    assert!(
        guest
            .run(&[&ops[..1], &reads].concat())
            .iter()
            .all(|outcome| outcome == "ok")
    );
    assert_eq!(fs::read(guest.rig.inside().join("f")).unwrap(), b"inside");
}

#[test]
fn f18_holes_end_the_tools_and_not_the_host() {
    let guest = Guest::new(Config::default(), |base| {
        let file = fs::File::create(base.join("W/hole")).unwrap();
        file.set_len(1 << 40).unwrap();
        fs::write(base.join("W/small"), "needle\n").unwrap();
    });
    let started = Instant::now();
    let refused = guest.call("read_file", json!({"path": "hole"})).unwrap_err();
    assert_eq!(refused.kind.as_str(), "limit", "{refused}");
    let window = guest.call("read_file", json!({"path": "hole", "limit": 10}));
    assert!(window.is_err(), "{window:?}");
    let found = guest.call("grep", json!({"pattern": "needle"})).unwrap();
    assert!(json!(found).to_string().contains("small"), "{found:?}");
    let whole = guest.call("grep", json!({"pattern": "needle", "path": "hole"}));
    assert!(
        !json!(whole.map_err(|error| error.message))
            .to_string()
            .contains("needle\\n")
    );
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

const BYTES: u64 = 1 << 20;
const CREATES: u32 = 10;

fn limited() -> Guest {
    let mut config = Config::default();
    config.limits.write_bytes = BYTES;
    config.limits.creates = CREATES;
    config.limits.file_bytes = BYTES;
    Guest::new(config, |base| fs::write(base.join("W/f"), "").unwrap())
}

/// Bytes on disk below the scope.
fn used(guest: &Guest) -> u64 {
    let entries = fs::read_dir(guest.rig.inside()).unwrap();
    entries
        .map(|entry| entry.unwrap().metadata().unwrap())
        .filter(|seen| seen.is_file())
        .map(|seen| seen.size())
        .sum()
}

#[test]
fn f19_bytes_run_out() {
    let page = "x".repeat(64);
    let ways: [&[Op]; 5] = [
        &[open("f", "w"), op("write").at("f").text(&page).length(100)],
        &[open("f", "w"), op("write_stream").at("f").text(&page).length(100)],
        &[open("f", "w"), op("append").at("f").text(&page).length(100)],
        // Writing and deleting, over and over, is work for the disk all the same.
        &[open("f", "wt"), op("write").at("f").text(&page).length(100)],
        &[
            open("f", "w"),
            op("set_size").at("f").offset(6_400),
            op("set_size").at("f"),
        ],
    ];
    for script in ways {
        let guest = limited();
        let counts = guest.count(1_000, script);
        let written: u64 = counts[1]
            .iter()
            .filter(|(outcome, _)| is_ok(outcome))
            .map(|(_, count)| count)
            .sum();
        assert_eq!(written, BYTES / 6_400, "{script:?}: {counts:?}");
        assert_eq!(
            counts[1].get("quota"),
            Some(&(1_000 - written)),
            "{script:?}: {counts:?}"
        );
        assert!(used(&guest) <= BYTES);
    }
    let guest = limited();
    let counts = guest.count(
        3,
        &[
            on("begin", "new").named("r"),
            op("put").at("r").text(&page).length(10_000),
            op("commit").at("r"),
        ],
    );
    assert_eq!(counts[1].get("ok"), Some(&1), "{counts:?}");
    assert!(used(&guest) <= BYTES);
    // The next call starts afresh.
    assert_eq!(
        guest.run(&[open("f", "w"), op("write").at("f").text("x")]),
        ["ok", "ok:1"]
    );
}

#[test]
fn f19_creations_run_out() {
    let names: Vec<String> = (0..50).map(|number| format!("new{number}")).collect();
    let ways: [fn(&str) -> Vec<Op>; 4] = [
        |name| vec![open(name, "wc")],
        |name| vec![open(name, "wcx")],
        |name| vec![on("mkdir", name)],
        |name| vec![on("begin", name).named("r"), op("commit").at("r")],
    ];
    for way in ways {
        let guest = limited();
        let ops: Vec<Op> = names.iter().flat_map(|name| way(name)).collect();
        let outcomes = guest.run_as("probe", ".", &ops).unwrap();
        assert!(outcomes.contains(&"quota".to_owned()), "{outcomes:?}");
        let made = fs::read_dir(guest.rig.inside()).unwrap().count() - 1;
        assert_eq!(made, CREATES as usize, "{outcomes:?}");
        // Removing them gives nothing back.
        let guest = limited();
        let churn = [way("new0"), vec![on("unlink", "new0"), on("rmdir", "new0")]].concat();
        let counts = guest.count(50, &churn);
        let first = &counts[0];
        assert_eq!(first.get("ok"), Some(&u64::from(CREATES)), "{counts:?}");
    }
    let guest = limited();
    let deep = "d/".repeat(40);
    let error = guest
        .call("write_file", json!({"path": format!("{deep}f"), "content": "x"}))
        .unwrap_err();
    assert!(
        error.message.contains("quota") || error.kind.as_str() == "limit",
        "{error}"
    );
}
