//! F07, F08, F31: hard links that exist, and links of both kinds that a guest wants to make.

use std::fs;

use toolgate::Config;
use toolgate::config::{AllowPath, Hardlinks};

use crate::probe::{Guest, Op, is_ok, on, op, open, read};
use crate::tree::{build, canaries, config, snapshot};

/// A guest in a tree where `hard` is another name of a file outside.
fn with_hard_link(hardlinks: Hardlinks) -> Guest {
    let mut config = Config::default();
    config.path_scope.hardlinks = hardlinks;
    Guest::new(config, |base| {
        fs::write(base.join("O/shared"), "shared").unwrap();
        fs::hard_link(base.join("O/shared"), base.join("W/hard")).unwrap();
    })
}

/// Every way to change a file where it stands.
fn in_place() -> Vec<Op> {
    let mut ops = Vec::new();
    for how in ["w", "wf", "rw", "wt", "wc", "t", "c"] {
        ops.extend([
            open("hard", how),
            op("write").at("f").text("X"),
            op("append").at("f").text("X"),
        ]);
    }
    ops.extend([
        on("set_times_at", "hard").offset(1),
        on("set_times_at", "hard").how("f").text("now"),
    ]);
    ops
}

#[test]
fn f07_hard_links_are_read_but_not_written_in_place() {
    let guest = with_hard_link(Hardlinks::DenyWrite);
    let before = snapshot(&guest.rig.outside());
    assert_eq!(guest.run(&[open("hard", "r"), read()]), ["ok", "ok:shared"]);
    for (op, outcome) in in_place().iter().zip(guest.run(&in_place())) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert_eq!(snapshot(&guest.rig.outside()), before);
    // A replacement is a new file under this name; the other name keeps the old one.
    let replaced = guest.run(&[
        on("begin", "hard").named("r"),
        op("put").at("r").text("new"),
        op("commit").at("r"),
    ]);
    assert_eq!(replaced, ["ok", "ok", "ok:false 3"]);
    assert_eq!(fs::read(guest.rig.inside().join("hard")).unwrap(), b"new");
    assert_eq!(fs::read(guest.rig.outside().join("shared")).unwrap(), b"shared");
    // With one name left, it is a file like any other.
    assert_eq!(
        guest.run(&[open("hard", "w"), op("write").at("f").text("N")]),
        ["ok", "ok:1"]
    );
}

#[test]
fn f07_write_file_breaks_the_link() {
    let guest = with_hard_link(Hardlinks::DenyWrite);
    guest
        .call("write_file", serde_json::json!({"path": "hard", "content": "new"}))
        .unwrap();
    assert_eq!(fs::read(guest.rig.inside().join("hard")).unwrap(), b"new");
    assert_eq!(fs::read(guest.rig.outside().join("shared")).unwrap(), b"shared");
}

#[test]
fn f07_the_operator_decides_about_hard_links() {
    let guest = with_hard_link(Hardlinks::Deny);
    let mut ops = in_place();
    for how in ["r", "rf", ""] {
        ops.extend([open("hard", how), read(), op("read_stream").at("f").length(9)]);
    }
    for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert!(guest.call("read_file", serde_json::json!({"path": "hard"})).is_err());
    assert_eq!(fs::read(guest.rig.outside().join("shared")).unwrap(), b"shared");

    let guest = with_hard_link(Hardlinks::Allow);
    assert_eq!(
        guest.run(&[open("hard", "w"), op("write").at("f").text("S")]),
        ["ok", "ok:1"]
    );
    assert_eq!(fs::read(guest.rig.outside().join("shared")).unwrap(), b"Shared");
}

#[test]
fn f08_no_second_name_for_anything() {
    let mut config = config();
    config.path_scope.allow_paths.push(AllowPath {
        path: "./a/...".to_owned(),
        access: "r".to_owned(),
        mode: None,
    });
    let guest = Guest::new(config, build);
    let before = snapshot(guest.rig.base.path());
    let sources = [
        ".env",
        "secrets/key.txt",
        "l_env",
        "l_denied",
        "a/b/c/deep.txt",
        "file.txt",
        "l_file_out",
        "dir",
        ".",
    ];
    let names = [
        "stolen",
        "dir/stolen",
        ".env2",
        "file.txt",
        "a/b/stolen",
        "dir/",
        ".env",
        "secrets/new",
    ];
    let mut ops = vec![open("dir", "rd").named("dir")];
    for source in sources {
        for name in names {
            for how in ["", "f"] {
                ops.push(on("link", source).how(how).to("0").new_path(name));
                ops.push(on("link", source).how(how).to("dir").new_path(name));
                ops.push(
                    on("link", &format!("../{source}"))
                        .at("dir")
                        .how(how)
                        .to("0")
                        .new_path(name),
                );
            }
        }
    }
    for (op, outcome) in ops.iter().zip(guest.run(&ops)).skip(1) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert_eq!(snapshot(guest.rig.base.path()), before);
}

#[test]
fn f31_no_link_is_planted() {
    let guest = Guest::new(config(), build);
    let before = snapshot(guest.rig.base.path());
    let targets = [
        "../../../etc/x",
        "/etc/passwd",
        "../O/canary.txt",
        "..",
        "dir/../../O",
        "secrets/key.txt",
        ".env",
        "l_out",
        "/proc/self/root",
        "file.txt",
        "dir",
        "",
        "\0",
    ];
    let mut ops = vec![open("dir", "rd").named("dir")];
    for target in targets {
        for link in [
            "planted",
            "dir/planted",
            "file.txt",
            ".env",
            "planted/",
            "l_dir/planted",
            "../planted",
        ] {
            ops.push(on("symlink", link).text(target));
            ops.push(on("symlink", link).text(target).at("dir"));
        }
    }
    for (op, outcome) in ops.iter().zip(guest.run(&ops)).skip(1) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    // Nor can one be carried to where its text means something else.
    let moves =
        ["l_out", "l_dangling", "dir/up", "dir/upup"].map(|link| on("rename", link).to("0").new_path("a/moved"));
    for (op, outcome) in moves.iter().zip(guest.run(&moves)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert_eq!(snapshot(guest.rig.base.path()), before);
    assert_eq!(canaries(guest.rig.base.path()).len(), 6);
}
