//! F09, F10, F12: moving things into, out of and around what is denied, and making what is denied.

use std::fs;

use serde_json::json;
use toolgate::Config;
use toolgate::config::AllowPath;

use crate::probe::{Guest, Op, is_ok, on, op, open, read, rename, values};
use crate::tree::{CANARY, build, canaries, config, snapshot};

fn entry(path: &str, access: &str) -> AllowPath {
    AllowPath {
        path: path.to_owned(),
        access: access.to_owned(),
        mode: None,
    }
}

/// All of these fail, and the tree stays as it is.
pub(crate) fn all_refused(guest: &Guest, ops: &[Op]) {
    let before = snapshot(guest.rig.base.path());
    for (op, outcome) in ops.iter().zip(guest.run(ops)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert_eq!(snapshot(guest.rig.base.path()), before);
}

#[test]
fn f09_nothing_denied_moves_and_nothing_moves_onto_it() {
    let mut config = config();
    config.path_scope.deny.push("./keep/*/private/...".to_owned());
    config.path_scope.deny.push("**/vault/deep/*.pem".to_owned());
    config.path_scope.allow_paths.push(entry("./ro/...", "r"));
    let guest = Guest::new(config, |base| {
        build(base);
        for folder in ["keep/one/private", "vault/deep", "ro/below"] {
            fs::create_dir_all(base.join("W").join(folder)).unwrap();
            fs::write(base.join("W").join(folder).join("a.pem"), "CANARY-denied").unwrap();
        }
    });
    let pairs = [
        // What is denied, by its name, by a link, by a detour.
        (".env", "env"),
        ("secrets", "public"),
        ("secrets/key.txt", "key.txt"),
        ("secrets/deep", "deep"),
        ("l_env", "env"),
        ("dir/../.env", "env"),
        ("l_denied/key.txt", "key.txt"),
        // Onto it.
        ("file.txt", ".env"),
        ("file.txt", "a/.env"),
        ("file.txt", "secrets/key.txt"),
        ("file.txt", "secrets/new.txt"),
        ("empty", "secrets"),
        ("empty", ".env"),
        ("empty", "secrets/deep"),
        // Directories above it, for patterns that are bound to a place.
        ("keep", "kept"),
        ("keep/one", "one"),
        ("keep/one/private", "private"),
        ("vault", "attic"),
        ("vault/deep", "deep"),
        ("a", "secrets"),
        ("a", "keep/two"),
        // The root, and what is above it.
        (".", "dir/root"),
        ("dir/..", "moved"),
        ("..", "moved"),
        ("a/../..", "moved"),
        ("file.txt", ".."),
        ("file.txt", "../O/file.txt"),
        ("../O/canary.txt", "canary.txt"),
        ("file.txt", "l_out/file.txt"),
        ("l_out/canary.txt", "canary.txt"),
        ("dir/upup/O/canary.txt", "canary.txt"),
        // Between what may be written and what may only be read.
        ("ro/below/a.pem", "a.pem"),
        ("ro/below", "below"),
        ("ro", "rw"),
        ("file.txt", "ro/file.txt"),
        ("file.txt", "ro/below/a.pem"),
        ("empty", "ro/empty"),
    ];
    let ops: Vec<Op> = pairs.iter().map(|(old, new)| rename(old, new)).collect();
    all_refused(&guest, &ops);
}

#[test]
fn f09_nothing_moves_between_roots_with_different_rights() {
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("theirs"), "theirs").unwrap();
    let top = other.path().canonicalize().unwrap();
    let mut config = Config::default();
    config
        .path_scope
        .allow_paths
        .push(entry(&format!("{}/...", top.display()), "rw"));
    let guest = Guest::new(config, build);
    let ops = [
        rename("file.txt", "stolen").to("1"),
        on("rename", "theirs").at("1").to("0").new_path("stolen"),
        on("link", "theirs").at("1").to("0").new_path("stolen"),
        on("link", "file.txt").to("1").new_path("stolen"),
        open("theirs", "r").at("1"),
        read(),
    ];
    let result = guest
        .call("probe", json!({"path": ".", "also": [top], "ops": values(&ops)}))
        .unwrap();
    let mut outcomes: Vec<String> = serde_json::from_value(result["outcomes"].clone()).unwrap();
    outcomes.sort();
    // Roots are numbered by path; either way each is reached, and nothing passes between them.
    let good: Vec<&String> = outcomes.iter().filter(|outcome| is_ok(outcome)).collect();
    assert!(
        good.iter().all(|outcome| *outcome == "ok" || *outcome == "ok:theirs"),
        "{outcomes:?}"
    );
    assert!(guest.rig.inside().join("file.txt").exists() && top.join("theirs").exists());
    assert!(!guest.rig.inside().join("stolen").exists() && !top.join("stolen").exists());
}

/// Where a pattern speaks of names, the new name decides. What a guest holds open does not follow
/// a move either.
#[test]
fn f10_moves_by_others_are_judged_by_the_new_name() {
    let guest = Guest::new(config(), build);
    let inside = guest.rig.inside();
    // A pattern for a name at any depth goes with the file wherever it moves.
    fs::rename(inside.join("dir"), inside.join("renamed")).unwrap();
    let hidden = [
        open("renamed/.env", "r"),
        on("stat_at", "renamed/.env"),
        open("l_dir/.env", "rf"),
    ];
    assert!(guest.run(&hidden).iter().all(|outcome| !is_ok(outcome)));
    assert_eq!(guest.run(&[open("renamed/in.txt", "r"), read()]), ["ok", "ok:inside"]);

    // While a call runs, its directory is moved out of the scope again and again, and a link
    // to outside takes its place: the handle means the name, and the name no longer leads there.
    fs::create_dir(inside.join("held")).unwrap();
    fs::write(inside.join("held/canary.txt"), "inside").unwrap();
    let (from, to) = (inside.join("held"), guest.rig.outside().join("held"));
    let link = inside.join("park");
    std::os::unix::fs::symlink("../O", &link).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mover = std::thread::spawn({
        let stop = std::sync::Arc::clone(&stop);
        move || {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                fs::rename(&from, &to).unwrap();
                fs::rename(&link, &from).unwrap();
                fs::rename(&from, &link).unwrap();
                fs::rename(&to, &from).unwrap();
            }
        }
    });
    let script = [
        open("held", "rd").named("dir"),
        open("canary.txt", "rf").at("dir"),
        read(),
        open("../held/canary.txt", "rf").at("dir"),
        read(),
        open(".", "rd").at("dir"),
    ];
    let started = std::time::Instant::now();
    let mut seen = std::collections::BTreeSet::new();
    while !(seen.contains("no-entry") && seen.contains("ok:inside")) && started.elapsed() < crate::PATIENCE {
        seen.extend(
            guest
                .count(1_000, &script)
                .into_iter()
                .flat_map(|count| count.into_keys()),
        );
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    mover.join().unwrap();
    assert!(seen.contains("ok:inside") && seen.contains("no-entry"), "{seen:?}");
    assert!(seen.iter().all(|outcome| !outcome.contains(CANARY)), "{seen:?}");
}

#[test]
fn f12_what_is_denied_cannot_be_made() {
    let mut config = config();
    config
        .path_scope
        .deny
        .extend(["**/.git".to_owned(), "./later/...".to_owned(), "*.key".to_owned()]);
    let guest = Guest::new(config, |base| {
        build(base);
        for name in ["W/.env", "W/dir/.env"] {
            fs::remove_file(base.join(name)).unwrap();
        }
        std::os::unix::fs::symlink(".git", base.join("W/to_git")).unwrap();
        std::os::unix::fs::symlink("later/x", base.join("W/to_later")).unwrap();
    });
    let before = canaries(guest.rig.base.path());
    let names = [
        ".env",
        "dir/.env",
        "a/b/.env",
        ".env/x",
        "l_env",
        ".git",
        "dir/.git",
        ".git/config",
        "to_git",
        "to_git/config",
        "later",
        "later/x",
        "to_later",
        "new.key",
        "dir/new.key",
        "l_dir/new.key",
        "new.key/x",
        "dir/../.env",
        "./later/../.git/hooks",
    ];
    let mut ops = Vec::new();
    for name in names {
        for how in ["wc", "wcf", "wcx", "wcxf", "cf", "rwctf"] {
            ops.push(open(name, how));
        }
        // A replacement would put a file in place of a link, whatever the link is called.
        let is_link = name.starts_with("l_env") || name == "to_git" || name == "to_later";
        if !is_link {
            ops.extend([
                on("begin", name).named("r"),
                op("put").at("r").text("x"),
                op("commit").at("r"),
            ]);
            ops.extend([rename("file.txt", name), rename("empty", name)]);
        }
        ops.extend([
            on("mkdir", name),
            on("symlink", name).text("file.txt"),
            on("link", "file.txt").to("0").new_path(name),
        ]);
    }
    all_refused(&guest, &ops);
    // A temporary file that is then renamed, and a directory with the file already in it.
    let detour = [
        open("tmp", "wc"),
        op("write").at("f").text("planted"),
        rename("tmp", ".env"),
        rename("tmp", "dir/new.key"),
        on("mkdir", "stage"),
        on("mkdir", "stage/.git"),
        rename("stage", ".git"),
        rename("stage", "later"),
        on("begin", "tmp2").named("r"),
        op("commit").at("r"),
        rename("tmp2", ".env"),
    ];
    let outcomes = guest.run(&detour);
    let good: Vec<bool> = outcomes.iter().map(|outcome| is_ok(outcome)).collect();
    assert_eq!(
        good,
        [true, true, false, false, true, false, false, false, true, true, false],
        "{outcomes:?}"
    );
    for name in [
        ".env",
        "dir/.env",
        ".git",
        "later",
        "new.key",
        "dir/new.key",
        "stage/.git",
    ] {
        assert!(!guest.rig.inside().join(name).exists(), "{name}");
    }
    assert!(
        guest
            .call("write_file", json!({"path": ".git/hooks/pre-commit", "content": "x"}))
            .is_err()
    );
    assert_eq!(canaries(guest.rig.base.path()), before);
}
