//! F05, F06: somebody swaps parts of a path for links while the guest uses it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use rustix::fs::{CWD, RenameFlags};
use toolgate::Config;

use crate::probe::{Guest, Op, is_ok, on, op, open, read, rename};
use crate::tree::{CANARY, DENIED, INSIDE, OUTSIDE, canaries};

/// Threads that exchange one name with others until dropped.
struct Attack {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<u64>>,
}

impl Attack {
    /// One thread for each name in `with`, exchanging it with `name`.
    fn start(name: &Path, with: &[PathBuf]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let threads = with
            .iter()
            .map(|other| {
                let (name, other, stop) = (name.to_owned(), other.clone(), Arc::clone(&stop));
                std::thread::spawn(move || {
                    let mut swaps = 0;
                    while !stop.load(Ordering::Relaxed) {
                        rustix::fs::renameat_with(CWD, &name, CWD, &other, RenameFlags::EXCHANGE).unwrap();
                        swaps += 1;
                    }
                    swaps
                })
            })
            .collect();
        Self { stop, threads }
    }

    fn end(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    }
}

/// A tree in which `x` is the directory to be swapped: one with a file in it, and its
/// counterparts outside and among what is denied, with files of the same names.
fn build(base: &Path) {
    let folders = [
        ("W/x", INSIDE),
        ("O/x", OUTSIDE),
        ("W/secrets/x", DENIED),
        ("W/deep/er/x", INSIDE),
    ];
    for (folder, content) in folders {
        fs::create_dir_all(base.join(folder).join("sub")).unwrap();
        for file in ["f", "sub/f", "victim"] {
            fs::write(base.join(folder).join(file), content).unwrap();
        }
    }
    fs::create_dir(base.join("W/park")).unwrap();
    let outside = base.join("O/x");
    let links = [
        ("out", outside.to_str().unwrap()),
        ("out_relative", "../O/x"),
        ("denied", "secrets/x"),
        ("allowed", "deep/er/x"),
    ];
    for (link, target) in links {
        symlink(target, base.join("W/park").join(link)).unwrap();
    }
    // The same for one file.
    symlink(outside.join("f"), base.join("W/park/out_file")).unwrap();
    symlink("secrets/x/f", base.join("W/park/denied_file")).unwrap();
}

fn config() -> Config {
    let mut config = Config::default();
    config.path_scope.deny = vec!["./secrets/...".to_owned()];
    // Creations are not what is tested here.
    config.limits.creates = 1_000_000;
    config
}

/// The outcomes of all operations together, those of success and those of failure.
fn sum(counts: &[BTreeMap<String, u64>]) -> (u64, u64) {
    let all = counts.iter().flatten();
    all.fold((0, 0), |(good, bad), (outcome, count)| {
        if is_ok(outcome) {
            (good + count, bad)
        } else {
            (good, bad + count)
        }
    })
}

/// Runs the script while `name` is exchanged with each of `with`; no content or metadata of a
/// canary may appear, and both ends of the race must have been met.
fn race(name: &str, with: &[&str], script: &[Op], times: u64) {
    let guest = Guest::new(config(), build);
    let inside = guest.rig.inside();
    let before = canaries(guest.rig.base.path());
    let others: Vec<PathBuf> = with.iter().map(|other| inside.join("park").join(other)).collect();
    let attack = Attack::start(&inside.join(name), &others);
    let started = Instant::now();
    let (mut good, mut bad, mut seen) = (0, 0, BTreeSet::new());
    while good == 0 || bad == 0 {
        let counts = guest.count(times, script);
        let (more_good, more_bad) = sum(&counts);
        (good, bad) = (good + more_good, bad + more_bad);
        seen.extend(counts.into_iter().flat_map(|count| count.into_keys()));
        if started.elapsed() > crate::PATIENCE {
            break;
        }
    }
    let swaps = attack.end();
    for outcome in &seen {
        assert!(!outcome.contains(CANARY), "{name} {with:?}: {outcome}");
    }
    assert!(
        good > 0 && bad > 0 && swaps > 0,
        "{name} {with:?}: the window was not hit: {seen:?}"
    );
    assert_eq!(canaries(guest.rig.base.path()), before, "{name} {with:?}");
    let outside = fs::read_dir(guest.rig.outside().join("x")).unwrap().count();
    assert_eq!(outside, 3, "something was made or removed outside");
}

/// Opens and reads the file at each of these paths, in several ways.
fn readers(paths: &[&str]) -> Vec<Op> {
    let mut ops = Vec::new();
    for path in paths {
        ops.extend([open(path, "r"), read(), open(path, "rf"), read()]);
    }
    ops
}

/// Rounds of one scenario: a million opens in all.
fn opens(scenarios: u64, per_round: u64) -> u64 {
    1_000_000 * crate::soak() / scenarios / per_round
}

/// The attack is real: whoever opens by name and trusts what it saw before reads what it should not.
#[test]
fn f05_the_attack_works_on_a_naive_reader() {
    let guest = Guest::new(config(), build);
    let inside = guest.rig.inside();
    let attack = Attack::start(
        &inside.join("x"),
        &[inside.join("park/out"), inside.join("park/denied")],
    );
    let started = Instant::now();
    let mut seen = BTreeSet::new();
    while !(seen.contains(OUTSIDE) && seen.contains(DENIED)) && started.elapsed() < crate::PATIENCE {
        if fs::symlink_metadata(inside.join("x")).unwrap().is_dir() {
            seen.insert(fs::read_to_string(inside.join("x/f")).unwrap());
        }
    }
    attack.end();
    assert!(seen.contains(OUTSIDE) && seen.contains(DENIED), "{seen:?}");
}

const WITH: [&[&str]; 4] = [
    &["out"],
    &["denied"],
    &["out_relative", "denied"],
    &["out", "denied", "allowed"],
];

#[test]
fn f05_symlink_swap_race() {
    let script = readers(&["x/f", "x/sub/f", "deep/../x/f", "x/sub/../f"]);
    for with in WITH {
        race("x", with, &script, opens(6, 8));
    }
    // The last name of the path.
    for with in [&["out_file"][..], &["out_file", "denied_file"]] {
        race("x/f", with, &readers(&["x/f"]), opens(6, 2));
    }
}

#[test]
fn f05_symlink_swap_race_through_links_and_handles() {
    let mut script = readers(&["x/f"]);
    script.extend([
        open("x", "rd").named("dir"),
        open("f", "r").at("dir"),
        read(),
        open("sub/../f", "rf").at("dir"),
        read(),
        open("x", "rdf").named("dir"),
        open("f", "rf").at("dir"),
        read(),
        op("list").at("dir"),
    ]);
    for with in WITH {
        race("x", with, &script, opens(40, 8));
    }
}

#[test]
fn f05_symlink_swap_race_of_changes() {
    let changes: [&[Op]; 5] = [
        &[open("x/victim", "wf"), op("write").at("f").text("OVERWRITTEN")],
        &[open("x/victim", "wtf"), open("x/victim", "wcf")],
        &[
            on("unlink", "x/victim"),
            open("x/victim", "wcxf"),
            op("write").at("f").text("inside"),
        ],
        &[
            on("mkdir", "x/made"),
            on("set_times_at", "x/victim").text("now"),
            on("rmdir", "x/made"),
        ],
        &[
            rename("x/victim", "x/moved"),
            rename("x/moved", "x/victim"),
            rename("x/victim", "victim"),
            rename("victim", "x/victim"),
        ],
    ];
    for script in changes {
        race("x", &["out", "denied"], script, 2_000 * crate::soak());
    }
    let replacement = [
        on("begin", "x/victim").named("r"),
        op("put").at("r").text("inside"),
        op("commit").at("r"),
    ];
    race("x", &["out", "denied"], &replacement, 200 * crate::soak());
}

#[test]
fn f06_long_detours_do_not_weaken_the_resolver() {
    let mut script = Vec::new();
    for length in [50, 200, 250] {
        script.extend(readers(&[&format!("{}x/f", "c/../".repeat(length))]));
    }
    // Beyond 256 names nothing is looked up at all.
    let too_long = on("stat_at", &format!("{}x/f", "c/../".repeat(800)));
    let guest = Guest::new(config(), build);
    assert_eq!(guest.run(&[too_long]), ["name-too-long"]);
    for with in [&["out"][..], &["denied", "out"]] {
        race("x", with, &script, 1_000 * crate::soak());
    }
}

#[test]
fn f06_without_openat2_the_host_does_not_start() {
    if !crate::program_for("strace", "the start without openat2") {
        return;
    }
    let tree = toolgate_tests::support::Tree::new(&[("a.txt", "inside\n")]);
    for error in ["ENOSYS", "EPERM"] {
        let output = crate::traced()
            .args(["-e", "trace=openat2", "-o", "/dev/null", "-e"])
            .arg(format!("inject=openat2:error={error}"))
            .arg(toolgate_tests::support::toolgate())
            .args(["call", "read_file", r#"{"path": "a.txt"}"#, "--root", tree.text()])
            .output()
            .unwrap();
        let (stdout, stderr) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(
            !output.status.success() && !stdout.contains("inside"),
            "{stdout}{stderr}"
        );
        assert!(stderr.contains("openat2"), "{stderr}");
    }
}
