//! F30: files that grant rights, for a guest whose approval covers the whole tree.

use std::fs;

use crate::probe::{Guest, Op, is_ok, on, open, rename};
use crate::tree::{build, config, snapshot};

fn plant(path: &str) -> Vec<Op> {
    vec![
        open(path, "wc"),
        on("unlink", path),
        on("mkdir", path),
        on("begin", path).named("r"),
        rename("file.txt", path),
    ]
}

#[test]
fn f30_files_that_grant_rights_are_not_planted() {
    let guest = Guest::new(config(), |base| {
        build(base);
        for folder in [".git/hooks", ".agents"] {
            fs::create_dir_all(base.join("W").join(folder)).unwrap();
        }
        fs::write(base.join("W/.git/config"), "[core]\n").unwrap();
        fs::write(base.join("W/.agents/config.json"), "{}").unwrap();
    });
    let before = snapshot(guest.rig.base.path());
    let files = [
        ".git/hooks/pre-commit",
        ".git/config",
        ".agents/config.json",
        ".agents/mcp.json",
        ".bashrc",
        ".envrc",
        ".ssh/authorized_keys",
        "dir/../.git/config",
    ];
    for file in files {
        for (op, outcome) in plant(file).iter().zip(guest.run(&plant(file))) {
            assert!(!is_ok(&outcome), "{file}, {op:?}: {outcome}");
        }
    }
    // Away under another name, changed there, and back.
    for (old, new) in [
        (".git", "git"),
        (".agents", "agents"),
        (".git/hooks", "hooked"),
        ("dir", ".agents2/.."),
        ("empty", ".ssh"),
        (".git/config", "config"),
    ] {
        let outcome = &guest.run(&[rename(old, new)])[0];
        assert!(!is_ok(outcome), "{old} to {new}: {outcome}");
    }
    assert_eq!(snapshot(guest.rig.base.path()), before);
}
