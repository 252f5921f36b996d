//! F20, F21: trees that are too deep, go round in circles, or are very wide.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags};
use serde_json::json;
use toolgate::{Call, Config};

use crate::probe::{Guest, on, open};

/// Levels of the deep tree: far beyond what a path can name.
const LEVELS: usize = 10_000;
/// Set in the process that runs one test alone, where memory can be measured.
const ALONE: &str = "TOOLGATE_TEST_ALONE";

/// Nests directories by handle, with a file in every hundredth.
fn dig(top: &Path) {
    let open = |at: &OwnedFd, name: &str| {
        rustix::fs::openat(
            at,
            name,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .unwrap()
    };
    let mut at = rustix::fs::openat(CWD, top, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
    for level in 0..LEVELS {
        rustix::fs::mkdirat(&at, "d", Mode::RWXU).unwrap();
        at = open(&at, "d");
        if level % 100 == 0 {
            let file = rustix::fs::openat(&at, "f", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR | Mode::WUSR).unwrap();
            rustix::io::write(&file, b"needle\n").unwrap();
        }
    }
}

#[test]
fn f20_trees_without_bottom() {
    let guest = Guest::new(Config::default(), |base| {
        dig(&base.join("W"));
        fs::write(base.join("W/top"), "needle\n").unwrap();
        symlink(".", base.join("W/self")).unwrap();
        symlink("..", base.join("W/d/up")).unwrap();
        symlink("two", base.join("W/one")).unwrap();
        symlink("one", base.join("W/two")).unwrap();
        for link in 0..60 {
            symlink(format!("chain{}", link + 1), base.join(format!("W/chain{link}"))).unwrap();
        }
        symlink("top", base.join("W/chain60")).unwrap();
    });
    let started = Instant::now();
    let found = guest.call("grep", json!({"pattern": "needle"})).unwrap();
    let text = json!(found).to_string();
    assert!(text.contains("top") && text.contains("d/f"), "{found:?}");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let outcomes = guest.run(&[
        open(&"d/".repeat(250), "rd"),
        open(&"d/".repeat(300), "rd"),
        open(&"d/".repeat(3_000), "rd"),
        open("self/self/self/top", "rf"),
        open("d/up/d/up/top", "rf"),
        open("one", "rf"),
        on("stat_at", "one/x"),
        open("chain30", "rf"),
        open("chain0", "rf"),
    ]);
    let expected = [
        "ok",
        "name-too-long",
        "name-too-long",
        "ok",
        "ok",
        "loop",
        "loop",
        "ok",
        "loop",
    ];
    assert_eq!(outcomes, expected);
    guest.call("list_dir", json!({"path": "self"})).unwrap();
    // The standard library would recurse.
    let removed = Command::new("rm")
        .arg("-rf")
        .arg(guest.rig.inside().join("d"))
        .status()
        .unwrap();
    assert!(removed.success());
}

/// Runs this test alone in a process of its own, unless this is that process.
fn alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

fn resident_peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

#[test]
fn f21_wide_directories_are_listed_in_bounded_memory() {
    if !alone("shape::f21_wide_directories_are_listed_in_bounded_memory") {
        return;
    }
    const CONCURRENT: u64 = 8;
    let entries = 100_000 * crate::soak();
    let guest = Guest::new(Config::default(), |base| {
        let wide = base.join("W/wide");
        fs::create_dir(&wide).unwrap();
        for number in 0..entries {
            fs::File::create(wide.join(format!("file-{number:08}"))).unwrap();
        }
    });
    guest.call("list_dir", json!({"path": "."})).unwrap();
    let before = resident_peak();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let started = Instant::now();
    let results = runtime.block_on(async {
        let calls: Vec<_> = (0..CONCURRENT)
            .map(|_| {
                let session = guest.rig.session();
                tokio::spawn(async move { session.call(Call::new("list_dir", json!({"path": "wide"}))).await })
            })
            .collect();
        let mut results = Vec::new();
        for call in calls {
            results.push(call.await.unwrap());
        }
        results
    });
    let took = started.elapsed();
    let grown = resident_peak() - before;
    for result in results {
        match result {
            Ok(result) => {
                assert_eq!(result.value["total"], json!(entries));
                assert_eq!(result.value["truncated"], json!(true));
            }
            // A listing that does not fit says so.
            Err(error) => assert_eq!(error.kind.as_str(), "limit", "{error}"),
        }
    }
    let memory = toolgate::config::Limits::default().memory_bytes;
    assert!(grown < CONCURRENT * (memory + (16 << 20)), "{grown} bytes");
    // Names of 13 bytes cost the guest some 40 each; the host keeps none of them.
    assert!(
        grown < CONCURRENT * (entries * 100 + (16 << 20)),
        "{grown} bytes for {CONCURRENT} listings"
    );
    assert!(took < Duration::from_secs(30), "{took:?}");
}
