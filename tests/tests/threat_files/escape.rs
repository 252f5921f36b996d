//! F01, F03, F04: paths that try to leave the scope or to reach what is denied.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use toolgate::Config;

use crate::probe::{Guest, Op, is_ok, on, op, open, read, rename};
use crate::traps::{BEFORE, BEHIND, targets};
use crate::tree::{CANARY, INSIDE, build, canaries, config};

/// Everything that looks at a path, and through it.
fn looks(at: &str, path: &str) -> Vec<Op> {
    let mut ops = Vec::new();
    for how in ["r", "rf", "", "f", "rd", "rdf", "rm", "rfs"] {
        ops.push(open(path, how).at(at));
        ops.push(read());
    }
    // The last one of these may be a directory.
    ops.extend([op("list").at("f"), op("read_stream").at("f").length(200), op("hash").at("f")]);
    for (name, how) in [("stat_at", ""), ("stat_at", "f"), ("hash_at", "f"), ("readlink", ""), ("mode_at", "")] {
        ops.push(on(name, path).how(how).at(at));
    }
    ops
}

/// Everything that changes what a path names.
fn changes(at: &str, path: &str) -> Vec<Op> {
    let mut ops = Vec::new();
    for how in ["w", "wf", "wcf", "rwcxf", "wtf", "tf", "cf", "wm"] {
        ops.push(open(path, how).at(at));
        ops.push(op("write").at("f").text("OVERWRITTEN"));
        ops.push(op("set_size").at("f"));
    }
    ops.extend([
        on("set_times_at", path).how("f").at(at),
        on("set_times_at", path).at(at),
        on("begin", path).named("r").at(at),
        op("put").at("r").text("OVERWRITTEN"),
        op("commit").at("r"),
        on("mkdir", path).at(at),
        on("symlink", path).text("file.txt").at(at),
        on("link", path).to("0").new_path("stolen").at(at),
        on("link", path).how("f").to("0").new_path("stolen").at(at),
        on("link", "file.txt").to(at).new_path(path),
        rename("file.txt", path).to(at),
        rename("empty", path).to(at),
        on("rename", path).to("0").new_path("stolen").at(at),
        open("stolen", "r"),
        read(),
        open("stolen/key.txt", "r"),
        read(),
        on("unlink", path).at(at),
        on("rmdir", path).at(at),
    ]);
    ops
}

/// The same path from a descriptor of a directory further down.
fn nested(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("../../{path}") }
}

fn spellings(targets: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for target in targets {
        for before in if target.starts_with('/') { &BEFORE[..1] } else { &BEFORE[..] } {
            all.extend(BEHIND.iter().map(|behind| format!("{before}{target}{behind}")));
        }
    }
    all
}

#[test]
fn f01_no_spelling_reads_outside() {
    let guest = Guest::new(config(), build);
    let before = canaries(guest.rig.base.path());
    let mut ops = Vec::new();
    for path in spellings(&targets(&guest.rig.base.path().canonicalize().unwrap())) {
        // Variables live as long as one call.
        ops.push(open("a/b", "rd").named("nested"));
        ops.extend(looks("0", &path));
        ops.extend(looks("nested", &nested(&path)));
    }
    assert!(ops.len() > 100_000, "{}", ops.len());
    let per_path = 1 + 2 * looks("", "").len();
    for script in ops.chunks(40 * per_path) {
        for (op, outcome) in script.iter().zip(guest.run_as("probe", ".", script).unwrap()) {
            assert!(!outcome.contains(CANARY) && !outcome.contains("root:"), "{op:?}: {outcome}");
        }
    }
    // The same operations on what is allowed work, so that the refusals mean something.
    for (at, path) in [("0", "file.txt"), ("nested", "../../l_file")] {
        let script = [vec![open("a/b", "rd").named("nested")], looks(at, path)].concat();
        let outcomes = guest.run(&script);
        assert!(outcomes.contains(&format!("ok:{INSIDE}")), "{path}: {outcomes:?}");
    }
    assert_eq!(canaries(guest.rig.base.path()), before);
}

#[test]
fn f01_no_spelling_changes_anything_outside() {
    let guest = Guest::new(config(), build);
    let base = guest.rig.base.path().to_owned();
    let before = canaries(&base);
    let behind = BEHIND.iter().flat_map(|behind| BEFORE[..4].iter().map(move |before| (before, behind)));
    let behind: Vec<_> = behind.collect();
    for target in targets(&base.canonicalize().unwrap()) {
        for (before_path, behind) in &behind {
            let path = format!("{before_path}{target}{behind}");
            let mut script = vec![open("a/b", "rd").named("nested")];
            script.extend(changes("0", &path));
            script.extend(changes("nested", &nested(&path)));
            let outcomes = guest.run_as("probe", ".", &script).unwrap();
            let leak = outcomes.iter().find(|outcome| outcome.contains(CANARY));
            assert!(leak.is_none(), "{path}: {leak:?}");
            // Links and files that may be removed are: make them again for the next path.
            tidy(&base);
            build(&base);
        }
        assert_eq!(canaries(&base), before, "{target}");
    }
    let outside = std::fs::read_dir(base.join("O")).unwrap().count();
    assert_eq!(outside, 2, "something was made outside");
}

/// Removes what the changes left that would stand in the way of the next ones, and brings back
/// the directory that may be moved with a denied file in it, since the pattern goes with the file.
fn tidy(base: &Path) {
    if base.join("W/stolen/.env").exists() {
        std::fs::rename(base.join("W/stolen"), base.join("W/dir")).unwrap();
    }
    for name in ["stolen", "file.txt", "nowhere"] {
        let path = base.join("W").join(name);
        let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
    }
}

#[test]
fn f01_a_grant_of_one_file_reaches_that_file_alone() {
    let guest = Guest::new(Config::default(), build);
    let mut ops = looks("0", "file.txt");
    let own = ops.len();
    for path in ["dir/in.txt", "dir", ".", "l_dir/in.txt", "a/b/c/deep.txt", "secrets/key.txt", "file.txt/..", ".env"] {
        ops.extend(looks("0", path));
        ops.extend(changes("0", path));
    }
    ops.extend(changes("0", "file.txt"));
    let before = crate::tree::snapshot(&guest.rig.inside());
    let outcomes = guest.run_as("probe_file", "file.txt", &ops).unwrap();
    assert_eq!(outcomes[..2], ["ok", "ok:inside"]);
    // A directory is not readable, and the stolen copy of the granted file does not exist.
    for (op, outcome) in ops.iter().zip(&outcomes).skip(own) {
        let read = format!("{op:?}").contains("\"read\"") && outcome == "ok:inside";
        assert!(!is_ok(outcome) || read, "{op:?}: {outcome}");
    }
    assert_eq!(crate::tree::snapshot(&guest.rig.inside()), before);
}

#[test]
fn f03_absurd_paths_are_refused_quickly() {
    let guest = Guest::new(config(), build);
    let mut paths: Vec<String> = Vec::new();
    for depth in 1..=255 {
        paths.push(format!("{}O/canary.txt", "../".repeat(depth)));
        paths.push(format!("{}{}O/canary.txt", "a/".repeat(depth.min(250)), "../".repeat(depth + 1)));
    }
    for length in [256, 4_096, 1_000_000] {
        paths.push("n".repeat(length));
        paths.push("n/".repeat(length / 2));
        paths.push(format!("dir/{}", "n".repeat(length)));
    }
    for text in ["", "\0", "file.txt\0", "\0file.txt", "dir/\0/in.txt", "/", "//", "."] {
        paths.push(text.to_owned());
    }
    paths.push("/".repeat(100_000));
    paths.push(format!("dir{}in.txt", "/".repeat(100_000)));
    paths.push("./".repeat(100_000));
    const TIMES: u64 = 20;
    for path in &paths {
        let root_itself = path == ".";
        let script = [
            open(path, "rf"),
            open(path, "wcf"),
            on("stat_at", path),
            on("mkdir", path),
            rename("file.txt", path),
            on("begin", path).named("r"),
        ];
        let started = Instant::now();
        let counts = guest.count(TIMES, &script);
        let each = started.elapsed() / (TIMES as u32 * script.len() as u32);
        for (op, count) in script.iter().zip(counts) {
            let succeeded = count.keys().any(|outcome| is_ok(outcome));
            let expected = root_itself && ["\"rf\"", "stat_at"].iter().any(|part| format!("{op:?}").contains(part));
            assert_eq!(succeeded, expected, "{:.200}: {count:?}", format!("{op:?}"));
        }
        // Copying a path of a megabyte out of the guest is most of it; the call itself is shared by all.
        assert!(each < Duration::from_millis(1), "{each:?} for a path of {} bytes", path.len());
    }
    let longest = "n".repeat(255);
    let outcomes = guest.run(&[open(&longest, "wc"), open(&"d/../".repeat(200), "rd"), open("file.txt", "r"), read()]);
    assert_eq!(outcomes, ["ok", "ok", "ok", "ok:inside"], "what is merely unusual works");
}

#[test]
fn f04_magic_links_lead_nowhere() {
    let open_file = std::fs::File::open("/etc/passwd").unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(&open_file);
    let pid = std::process::id();
    let names = [
        "self/root/etc/passwd".to_owned(),
        "self/cwd/Cargo.toml".to_owned(),
        format!("self/fd/{number}"),
        format!("{pid}/fd/{number}"),
        format!("{pid}/root/etc/passwd"),
        format!("self/task/{pid}/root/etc/passwd"),
        "thread-self/root/etc/passwd".to_owned(),
        "thread-self/cwd/Cargo.toml".to_owned(),
        "self/exe".to_owned(),
        "self/ns/mnt".to_owned(),
    ];
    // By absolute path, and by links that somebody planted in the tree.
    let guest = Guest::new(Config::default(), |base| {
        std::os::unix::fs::symlink("/proc", base.join("W/proc")).unwrap();
        std::os::unix::fs::symlink("/dev/fd", base.join("W/fd")).unwrap();
        for (index, name) in names.iter().enumerate() {
            std::os::unix::fs::symlink(format!("/proc/{name}"), base.join(format!("W/magic{index}"))).unwrap();
        }
    });
    let mut ops = vec![open(&format!("fd/{number}"), "rf"), read(), open(&format!("/dev/fd/{number}"), "rf"), read()];
    for (index, name) in names.iter().enumerate() {
        for path in [format!("/proc/{name}"), format!("proc/{name}"), format!("magic{index}")] {
            ops.extend([open(&path, "rf"), read(), on("stat_at", &path).how("f"), on("mode_at", &path)]);
        }
    }
    for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    // With the whole file system as scope, procfs itself is another mount, and is crossed only if
    // the operator says so; its magic links stay closed even then.
    for cross_device in [false, true] {
        let mut config = Config::default();
        config.permissions.allow_filesystem_root = true;
        config.path_scope.cross_device = cross_device;
        let everything = Guest::with_host(config, |_| {}, |builder| builder.root(PathBuf::from("/")));
        let mut ops = Vec::new();
        for name in &names {
            ops.extend([open(&format!("proc/{name}"), "rf"), read(), on("stat_at", &format!("proc/{name}")).how("f")]);
        }
        for (op, outcome) in ops.iter().zip(everything.run_as("probe_read", "/", &ops).unwrap()) {
            assert!(!is_ok(&outcome), "{op:?}: {outcome}");
        }
        let control = [open("etc/passwd", "rf"), open("proc/self/status", "rf")];
        let outcomes = everything.run_as("probe_read", "/", &control).unwrap();
        assert_eq!(outcomes[0], "ok");
        assert_eq!(is_ok(&outcomes[1]), cross_device, "{}", outcomes[1]);
    }
}
