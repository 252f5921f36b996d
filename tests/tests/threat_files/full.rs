//! F27: disks that are full, broken or read-only: the old content stays, and the error says why.

use std::fs;
use std::path::Path;

use rustix::mount::{MountFlags, mount_remount};
use serde_json::{Value, json};
use toolgate::Config;
use toolgate_tests::support::{Tree, toolgate};

use crate::mounts::Mount;
use crate::probe::{Guest, is_ok, on, op, open};

/// Size of the small disk, in pages.
const PAGES: usize = 160;
const PAGE: usize = 4096;

fn names(top: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(top)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Calls that make the content of `target` this one, where it was `old`.
fn replacements(new: &str) -> [(&'static str, Value); 2] {
    [
        ("write_file", json!({"path": "target", "content": new})),
        (
            "edit_file",
            json!({"path": "target", "old_string": "old", "new_string": new}),
        ),
    ]
}

#[test]
fn f27_a_full_disk_keeps_the_old_content() {
    if !crate::root_for("full disks") {
        return;
    }
    let disk = tempfile::tempdir().unwrap();
    let top = disk.path().canonicalize().unwrap();
    let Some(_mount) = Mount::tmpfs(&top, (PAGES * PAGE / 1024) as u32) else {
        return;
    };
    let guest = Guest::with_host(Config::default(), |_| {}, |builder| builder.root(&top));
    let new = "n".repeat(40 * PAGE);
    for (tool, arguments) in replacements(&new) {
        let (mut full, mut fits) = (0, 0);
        // The disk has room for one page less each time.
        for filled in 0..PAGES - 4 {
            fs::write(top.join("target"), "old").unwrap();
            let _ = fs::write(top.join("filler"), vec![1; filled * PAGE]);
            let outcome = guest.call(tool, arguments.clone());
            let found = fs::read_to_string(top.join("target")).unwrap();
            match outcome {
                Ok(_) => {
                    assert!(
                        found == new,
                        "{tool}, {filled} pages: {} bytes and no error",
                        found.len()
                    );
                    fits += 1;
                }
                Err(error) => {
                    assert_eq!(found, "old", "{tool}, {filled} pages");
                    assert!(error.message.contains("space"), "{error}");
                    full += 1;
                }
            }
            assert_eq!(names(&top), ["filler", "target"], "{tool}, {filled} pages");
            fs::remove_file(top.join("filler")).unwrap();
        }
        assert!(full > 20 && fits > 20, "{tool}: {full} times full, {fits} times not");
    }
    // In place, what was written stays, and the guest is told how much.
    fs::write(top.join("filler"), vec![1; (PAGES - 10) * PAGE]).unwrap_or_default();
    let outcomes = guest.run(&[
        open("new", "wc"),
        op("write").at("f").text("x").length(20 * PAGE as u64),
        op("append").at("f").text("x").length(20 * PAGE as u64),
    ]);
    assert_eq!(outcomes[2], "insufficient-space", "{outcomes:?}");
}

#[test]
fn f27_a_read_only_disk_says_so() {
    if !crate::root_for("read-only disks") {
        return;
    }
    let disk = tempfile::tempdir().unwrap();
    let top = disk.path().canonicalize().unwrap();
    let Some(_mount) = Mount::tmpfs(&top, 1024) else { return };
    fs::write(top.join("target"), "old").unwrap();
    fs::create_dir(top.join("dir")).unwrap();
    mount_remount(&top, MountFlags::RDONLY | MountFlags::NODEV, c"").unwrap();
    let guest = Guest::with_host(Config::default(), |_| {}, |builder| builder.root(&top));
    let delete = ("delete_file", json!({"path": "target"}));
    for (tool, arguments) in replacements("new").into_iter().chain([delete]) {
        let error = guest.call(tool, arguments).unwrap_err();
        assert!(
            error.message.contains("read-only") || error.message.contains("read only"),
            "{error}"
        );
    }
    let ops = [
        open("target", "w"),
        open("new", "wc"),
        on("mkdir", "m"),
        on("rmdir", "dir"),
        on("unlink", "target"),
        on("begin", "target").named("r"),
    ];
    for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
        assert!(!is_ok(&outcome), "{op:?}: {outcome}");
    }
    assert_eq!(fs::read(top.join("target")).unwrap(), b"old");
    assert_eq!(names(&top), ["dir", "target"]);
}

/// Each call of the system that matters fails once.
#[test]
fn f27_failing_system_calls() {
    if !crate::program_for("strace", "failing system calls") {
        return;
    }
    // (the call, its error, which time it fails)
    let faults = [
        ("fsync", "EIO", 1),
        ("fsync", "ENOSPC", 1),
        ("fsync", "EIO", 2),
        ("linkat", "ENOSPC", 1),
        ("linkat", "EIO", 1),
        ("renameat", "EIO", 1),
        ("renameat", "ENOSPC", 1),
        ("fchmod", "EPERM", 1),
        ("fchmod", "EIO", 1),
    ];
    for (call, error, when) in faults {
        for (tool, arguments) in replacements("new") {
            fails(tool, &arguments, call, error, when);
        }
    }
}

/// A call of a tool while one call of the system fails.
fn fails(tool: &str, arguments: &Value, call: &str, error: &str, when: u32) {
    let tree = Tree::new(&[("target", "old")]);
    let output = crate::traced()
        .args(["-o", "/dev/null", "-e"])
        .arg(format!("trace={call}"))
        .arg("-e")
        .arg(format!("inject={call}:error={error}:when={when}"))
        .arg(toolgate())
        .args(["call", tool, &arguments.to_string()])
        .args(["--mode", "yolo", "--root", tree.text()])
        .output()
        .unwrap();
    let found = tree.read("target");
    let (found, stdout) = (found.as_deref(), String::from_utf8_lossy(&output.stdout));
    let case = format!("{tool}, {call} {error} {when}: {stdout}");
    assert_eq!(names(tree.root()), ["target"], "{case}");
    if output.status.success() {
        assert_eq!(found, Some("new"), "{case}");
    } else {
        // Once the name is in place, only the promise that it lasts can fail.
        let placed = call == "fsync" && when == 2;
        assert_eq!(found, Some(if placed { "new" } else { "old" }), "{case}");
        assert!(stdout.contains("error"), "{case}");
    }
    if call == "fsync" {
        assert!(!output.status.success(), "{case}");
    }
}
