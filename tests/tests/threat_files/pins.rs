//! F10: what others move while the host runs.

use std::fs;

use serde_json::json;

use crate::moves::all_refused;
use crate::probe::{Guest, is_ok, on, op, open, read, rename};
use crate::tree::{build, canaries, config};

/// What a literal pattern named when the host started is held, so that it stays denied when
/// somebody with rights on the host moves it, or a directory above it.
#[test]
fn f10_what_was_denied_by_its_place_stays_denied_wherever_it_is_moved() {
    let mut config = config();
    config
        .path_scope
        .deny
        .extend(["./keep/deep/key.txt".to_owned(), "./later.txt".to_owned()]);
    let guest = Guest::new(config, |base| {
        build(base);
        fs::create_dir_all(base.join("W/keep/deep")).unwrap();
        fs::write(base.join("W/keep/deep/key.txt"), "CANARY-denied").unwrap();
        fs::write(base.join("W/keep/deep/other.txt"), "inside").unwrap();
    });
    let inside = guest.rig.inside();
    let move_to = |from: &str, to: &str| fs::rename(inside.join(from), inside.join(to)).unwrap();
    move_to("keep", "kept");
    let before = canaries(guest.rig.base.path());
    let questions = |path: &str| {
        vec![
            open(path, "r"),
            open(path, "rf"),
            open(path, "w"),
            open(path, "wt"),
            on("stat_at", path),
            on("hash_at", path),
            on("mode_at", path),
            on("unlink", path),
            on("set_times_at", path).offset(1),
            on("begin", path).named("r"),
            rename(path, "free.txt"),
            rename("file.txt", path),
        ]
    };
    all_refused(&guest, &questions("kept/deep/key.txt"));
    let listed = guest.run(&[
        open("kept/deep", "rd"),
        op("list").at("f"),
        open("kept/deep/other.txt", "r"),
        read(),
    ]);
    assert!(
        listed[1].contains("other.txt") && !listed[1].contains("key.txt"),
        "{listed:?}"
    );
    assert_eq!(listed[2..], ["ok", "ok:inside"]);
    // A directory takes what is in it along, whatever the names are there.
    move_to("secrets", "a/b/public");
    for path in [
        "a/b/public/key.txt",
        "a/b/public/deep/key.txt",
        "a/b/public/deep",
        "a/b/public",
    ] {
        all_refused(&guest, &questions(path));
    }
    all_refused(
        &guest,
        &[open("a/b/public/new.txt", "wc"), open("a/b/public/deep/new.txt", "wcx")],
    );
    all_refused(
        &guest,
        &[
            on("mkdir", "a/b/public/deep/new"),
            rename("file.txt", "a/b/public/new.txt"),
        ],
    );
    assert_eq!(guest.run(&[open("a/b/c/deep.txt", "r"), read()]), ["ok", "ok:inside"]);
    // The tools find no more than the guest.
    for (tool, arguments) in [
        ("read_file", json!({"path": "kept/deep/key.txt"})),
        ("read_file", json!({"path": "a/b/public/key.txt"})),
    ] {
        assert!(guest.call(tool, arguments).is_err());
    }
    let found = guest.call("grep", json!({"pattern": "CANARY"})).unwrap();
    assert!(
        !serde_json::to_string(&found).unwrap().contains("CANARY-denied"),
        "{found:?}"
    );
    assert_eq!(canaries(guest.rig.base.path()), before);
    // What did not exist is denied by its name, and so is a name whose object has gone.
    for name in ["later.txt", "keep/deep/key.txt", "secrets/x"] {
        assert!(!is_ok(&guest.run(&[open(name, "wc")])[0]), "{name}");
    }
}
