//! F15, F16: pipes, sockets and devices in the tree.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, RenameFlags, makedev, mknodat};
use serde_json::json;
use toolgate::Config;

use crate::probe::{Guest, Op, is_ok, on, op, open, read};

fn node(path: &Path, kind: FileType, device: (u32, u32)) -> rustix::io::Result<()> {
    mknodat(CWD, path, kind, Mode::from_raw_mode(0o666), makedev(device.0, device.1))
}

/// Every way to open something, and to use what was opened.
fn uses(path: &str) -> Vec<Op> {
    let mut ops = Vec::new();
    for how in [
        "r", "rf", "w", "wf", "rw", "wt", "wc", "rwcf", "", "tf", "rd", "rs", "ws",
    ] {
        ops.push(open(path, how));
        ops.extend([
            read(),
            op("write").at("f").text("x"),
            op("read_stream").at("f").length(9),
            op("set_size").at("f"),
        ]);
    }
    ops
}

/// Putting a file in its place.
fn replaces(path: &str) -> [Op; 3] {
    [
        on("begin", path).named("r"),
        op("put").at("r").text("x"),
        op("commit").at("r"),
    ]
}

#[test]
fn f15_pipes_do_not_block() {
    let guest = Guest::new(Config::default(), |base| {
        node(&base.join("W/pipe"), FileType::Fifo, (0, 0)).unwrap();
        symlink("pipe", base.join("W/to_pipe")).unwrap();
    });
    let ways = ["r", "w", "rw", "rf", "wcf", "wt"];
    let before = open_files();
    for path in ["pipe", "to_pipe"] {
        let script: Vec<Op> = ways.iter().map(|how| open(path, how)).collect();
        let started = Instant::now();
        let counts = guest.count(100, &script);
        let each = started.elapsed() / (100 * ways.len() as u32);
        assert!(each < Duration::from_millis(5), "{each:?}");
        assert!(
            counts.iter().flatten().all(|(outcome, _)| !is_ok(outcome)),
            "{counts:?}"
        );
    }
    let ops = [uses("pipe"), replaces("pipe").to_vec()].concat();
    for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert!(open_files() <= before, "descriptors are left open");
    assert_eq!(guest.run(&[on("stat_at", "pipe")]), ["ok:fifo 0 1"]);
    for (tool, arguments) in [
        ("read_file", json!({"path": "pipe"})),
        ("write_file", json!({"path": "pipe", "content": "x"})),
        ("grep", json!({"pattern": "x", "path": "pipe"})),
    ] {
        let started = Instant::now();
        let outcome = guest.call(tool, arguments);
        assert!(tool == "grep" || outcome.is_err(), "{tool}: {outcome:?}");
        assert!(started.elapsed() < Duration::from_secs(5), "{tool}");
    }
}

/// Descriptors of this process that lead to a pipe of a test, which has a name.
fn open_files() -> usize {
    fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok())
        .filter(|target| target.to_string_lossy().ends_with("/W/pipe"))
        .count()
}

#[test]
fn f15_a_pipe_that_appears_in_between() {
    let guest = Guest::new(Config::default(), |base| {
        fs::write(base.join("W/x"), "inside").unwrap();
        node(&base.join("W/other"), FileType::Fifo, (0, 0)).unwrap();
    });
    let (x, other) = (guest.rig.inside().join("x"), guest.rig.inside().join("other"));
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let attacker = std::thread::spawn({
        let stop = std::sync::Arc::clone(&stop);
        move || {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                rustix::fs::renameat_with(CWD, &x, CWD, &other, RenameFlags::EXCHANGE).unwrap();
            }
        }
    });
    let mut outcomes = BTreeSet::new();
    let started = Instant::now();
    let script = [
        on("stat_at", "x"),
        open("x", "r"),
        read(),
        open("x", "w"),
        op("write").at("f").text("inside"),
    ];
    let hit = |seen: &BTreeSet<String>| seen.contains("ok:inside") && seen.contains("not-permitted");
    while !hit(&outcomes) && started.elapsed() < crate::PATIENCE {
        outcomes.extend(
            guest
                .count(1_000, &script)
                .into_iter()
                .flat_map(|count| count.into_keys()),
        );
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    attacker.join().unwrap();
    assert!(hit(&outcomes), "{outcomes:?}");
}

#[test]
fn f16_sockets_and_links_to_devices() {
    let mut listener = None;
    let guest = Guest::new(Config::default(), |base| {
        listener = Some(UnixListener::bind(base.join("W/socket")).unwrap());
        for (link, target) in [
            ("zero", "/dev/zero"),
            ("full", "/dev/full"),
            ("tty", "/dev/tty"),
            ("stdin", "/dev/stdin"),
            ("fd", "/dev/fd/0"),
            ("dev", "/dev"),
            ("up", "../../../../../../dev/zero"),
        ] {
            symlink(target, base.join("W").join(link)).unwrap();
        }
    });
    let mut ops = Vec::new();
    for path in ["socket", "dev/zero", "/dev/zero", "../../../dev/zero"] {
        ops.extend(uses(path));
        ops.extend(replaces(path));
    }
    // A link that leads out may be replaced, but not used.
    for link in ["zero", "full", "tty", "stdin", "fd", "up"] {
        ops.extend(uses(link));
    }
    for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert!(guest.call("read_file", json!({"path": "socket"})).is_err());
    assert!(guest.call("read_file", json!({"path": "zero"})).is_err());
}

#[test]
fn f16_device_nodes() {
    if !crate::root_for("device nodes in the tree") {
        return;
    }
    let devices = [
        ("null", FileType::CharacterDevice, (1, 3)),
        ("zero", FileType::CharacterDevice, (1, 5)),
        ("full", FileType::CharacterDevice, (1, 7)),
        ("random", FileType::CharacterDevice, (1, 8)),
        ("tty", FileType::CharacterDevice, (5, 0)),
        ("loop", FileType::BlockDevice, (7, 0)),
    ];
    let mut made = true;
    let guest = Guest::new(Config::default(), |base| {
        for (name, kind, device) in devices {
            made &= node(&base.join("W").join(name), kind, device).is_ok();
        }
    });
    if !made {
        crate::left_out("device nodes in the tree", "mknod fails");
        return;
    }
    for (name, ..) in devices {
        let ops = [uses(name), replaces(name).to_vec()].concat();
        for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
            assert!(!is_ok(&outcome), "{op:?}: {outcome}");
        }
        assert!(guest.run(&[on("stat_at", name)])[0].starts_with("ok:device"));
        assert!(guest.call("read_file", json!({"path": name})).is_err());
        assert!(guest.call("write_file", json!({"path": name, "content": "x"})).is_err());
    }
    let found = guest.call("grep", json!({"pattern": "."})).unwrap();
    assert!(
        !found.contains_key("truncated") || found["truncated"] == json!(false),
        "{found:?}"
    );
}
