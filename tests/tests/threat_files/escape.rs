//! F01, F03, F04: paths that try to leave the scope or to reach what is denied.

use std::path::Path;

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
    ops.extend([
        op("list").at("f"),
        op("read_stream").at("f").length(200),
        op("hash").at("f"),
    ]);
    for (name, how) in [
        ("stat_at", ""),
        ("stat_at", "f"),
        ("hash_at", "f"),
        ("readlink", ""),
        ("mode_at", ""),
    ] {
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
    if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("../../{path}")
    }
}

fn spellings(targets: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for target in targets {
        for before in if target.starts_with('/') {
            &BEFORE[..1]
        } else {
            &BEFORE[..]
        } {
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
            assert!(
                !outcome.contains(CANARY) && !outcome.contains("root:"),
                "{op:?}: {outcome}"
            );
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
    let behind = BEHIND
        .iter()
        .flat_map(|behind| BEFORE[..4].iter().map(move |before| (before, behind)));
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
    for path in [
        "dir/in.txt",
        "dir",
        ".",
        "l_dir/in.txt",
        "a/b/c/deep.txt",
        "secrets/key.txt",
        "file.txt/..",
        ".env",
    ] {
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
