//! F22: what may only be read does not change, whatever is tried.

use serde_json::json;
use toolgate::config::AllowPath;
use toolgate::{Config, ErrorKind};

use crate::probe::{Guest, Op, is_ok, on, op, open, rename};
use crate::tree::{INSIDE, build, snapshot};

/// Every operation that changes something, below `top`, in every combination of flags.
fn changes(top: &str) -> Vec<Op> {
    let at = |name: &str| format!("{top}{name}");
    let mut ops = vec![
        open(&at("dir/in.txt"), "r").named("file"),
        open(&at("dir"), "rd").named("dir"),
    ];
    for name in ["file.txt", "dir/in.txt", "new", "dir", "empty", "l_file", "l_dangling"] {
        for bits in 0_u32..128 {
            let letters = "rwcdxtf".chars().enumerate();
            let how: String = letters
                .filter(|(bit, _)| bits >> bit & 1 == 1)
                .map(|(_, letter)| letter)
                .collect();
            ops.push(open(&at(name), &how));
            // Opening to read succeeds; nothing may come of it.
            if !how.contains('w') {
                ops.extend([
                    op("write").at("f").text("CHANGED"),
                    op("write_stream").at("f").text("CHANGED"),
                    op("append").at("f").text("CHANGED"),
                    op("zeroes").at("f").length(9),
                    op("splice").at("f").to("f").length(9),
                    op("set_size").at("f").offset(1),
                    op("set_times").at("f").offset(1),
                    op("sync").at("f"),
                    op("sync_data").at("f"),
                ]);
            }
        }
    }
    for name in [
        "file.txt",
        "dir/in.txt",
        "new",
        "dir",
        "dir/new",
        "empty",
        "l_file",
        "l_dangling",
        "a/b/c",
    ] {
        let path = at(name);
        ops.extend([
            on("mkdir", &path),
            on("rmdir", &path),
            on("unlink", &path),
            on("symlink", &path).text("file.txt"),
            on("set_times_at", &path).offset(1),
            on("set_times_at", &path).how("f").text("now"),
            on("begin", &path).named("r"),
            op("put").at("r").text("CHANGED"),
            op("commit").at("r"),
        ]);
        for other in ["file.txt", "dir/other", "other", "empty", "dir"] {
            ops.extend([
                rename(&path, &at(other)),
                on("link", &path).to("0").new_path(&at(other)),
            ]);
        }
    }
    for handle in ["dir", "file"] {
        ops.extend([
            op("set_times").at(handle).offset(1),
            op("set_times").at(handle).text("now"),
        ]);
        ops.extend([op("set_size").at(handle), op("write").at(handle).text("CHANGED")]);
    }
    ops.extend([
        on("mkdir", "new").at("dir"),
        on("unlink", "in.txt").at("dir"),
        open("in.txt", "wt").at("dir"),
    ]);
    ops
}

/// Whether success changes nothing.
fn harmless(op: &Op) -> bool {
    let text = format!("{op:?}");
    let opens_to_read = text.contains("\"open\"");
    opens_to_read || text.contains("\"sync")
}

fn holds(guest: &Guest, tool: &str, path: &str, ops: &[Op]) {
    let before = snapshot(guest.rig.base.path());
    // The handles at the start of the list are used to its end.
    let outcomes = guest.run_as(tool, path, ops).unwrap();
    for (op, outcome) in ops.iter().zip(&outcomes) {
        assert!(harmless(op) || !is_ok(outcome), "{tool} {op:?}: {outcome}");
    }
    assert!(outcomes.iter().any(|outcome| is_ok(outcome)), "reading works");
    assert_eq!(snapshot(guest.rig.base.path()), before, "{tool} changed something");
}

#[test]
fn f22_an_approval_to_read_changes_nothing() {
    let guest = Guest::new(Config::default(), build);
    holds(&guest, "probe_read", ".", &changes(""));
    // The same handles reach what is above the granted tree by no name.
    holds(&guest, "probe_read", "dir", &[changes(""), changes("dir/")].concat());
}

#[test]
fn f22_a_scope_entry_to_read_changes_nothing() {
    let mut config = Config::default();
    config.path_scope.allow_paths.push(AllowPath {
        path: "./ro/...".to_owned(),
        access: "r".to_owned(),
        mode: None,
    });
    let guest = Guest::new(config, |base| {
        build(base);
        // The same tree once more, in the part that may only be read.
        std::fs::create_dir(base.join("R")).unwrap();
        std::fs::create_dir(base.join("R/W")).unwrap();
        build(&base.join("R"));
        std::fs::rename(base.join("R/W"), base.join("W/ro")).unwrap();
    });
    let before = snapshot(guest.rig.base.path());
    let ops = changes("ro/");
    let outcomes = guest.run(&ops);
    let across = [
        rename("file.txt", "ro/file.txt"),
        rename("file.txt", "ro/new"),
        rename("ro/file.txt", "file.txt"),
        rename("ro/dir", "moved"),
        rename("ro", "rw"),
        rename("empty", "ro"),
        on("rmdir", "ro/empty"),
        on("rmdir", "ro"),
    ];
    for (op, outcome) in ops
        .iter()
        .chain(&across)
        .zip(outcomes.into_iter().chain(guest.run(&across)))
    {
        assert!(harmless(op) || !is_ok(&outcome), "{op:?}: {outcome}");
    }
    // The built-in tools say why they do not.
    for (tool, arguments) in [
        ("write_file", json!({"path": "ro/file.txt", "content": "CHANGED"})),
        ("write_file", json!({"path": "ro/new", "content": "CHANGED"})),
        (
            "edit_file",
            json!({"path": "ro/file.txt", "old_string": INSIDE, "new_string": "CHANGED"}),
        ),
        ("delete_file", json!({"path": "ro/file.txt"})),
    ] {
        let error = guest.call(tool, arguments).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Denied, "{tool}: {error}");
        assert!(error.message.contains("/ro/"), "{tool}: {error}");
    }
    assert_eq!(snapshot(guest.rig.base.path()), before);
    // Beside it, the same call may write.
    assert_eq!(
        guest.run(&[open("file.txt", "w"), op("write").at("f").text("x")]),
        ["ok", "ok:1"]
    );
}
