//! F24: permission bits of what a guest makes and replaces.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use serde_json::json;
use toolgate::Config;

use crate::probe::{Guest, on, op, open};

/// The umask of this process, which the host shares.
fn umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("Umask:")).unwrap();
    u32::from_str_radix(line.split_whitespace().nth(1).unwrap(), 8).unwrap()
}

#[test]
fn f24_nothing_new_is_executable() {
    let guest = Guest::new(Config::default(), |base| {
        // What a directory hands down must not matter either.
        fs::create_dir(base.join("W/sticky")).unwrap();
        fs::set_permissions(base.join("W/sticky"), fs::Permissions::from_mode(0o3777)).unwrap();
    });
    let mut ops = Vec::new();
    for top in ["", "sticky/"] {
        for (number, how) in ["wc", "wcx", "c", "rwct", "wcs"].into_iter().enumerate() {
            ops.push(open(&format!("{top}file{number}"), how));
        }
        ops.extend([
            on("mkdir", &format!("{top}folder")),
            on("begin", &format!("{top}replaced")).named("r"),
            op("commit").at("r"),
        ]);
        ops.extend([
            on("begin", &format!("{top}made/deep/er/f")).named("r"),
            op("commit").at("r"),
        ]);
    }
    guest.run(&ops);
    guest
        .call("write_file", json!({"path": "by_tool", "content": "#!/bin/sh"}))
        .unwrap();
    let mut seen = 0;
    for (path, entry) in crate::tree::snapshot(&guest.rig.inside()) {
        if path.is_empty() || path == "sticky" {
            continue;
        }
        let is_directory = entry.mode & 0o170_000 == 0o040_000;
        let wanted = if is_directory { 0o755 } else { 0o644 } & !umask();
        // A directory with the set-group bit hands the bit to directories in it: the kernel does.
        let inherited = if is_directory { 0o2000 } else { 0 };
        assert_eq!(entry.mode & 0o7777 & !inherited, wanted, "{path}: {:o}", entry.mode);
        seen += 1;
    }
    assert!(seen >= 21, "{seen}");
}

#[test]
fn f24_a_replacement_keeps_permissions_but_no_special_rights() {
    for mode in [0o600, 0o644, 0o755, 0o666, 0o4755, 0o2755, 0o6711, 0o1644] {
        let guest = Guest::new(Config::default(), |base| {
            let path = base.join("W/f");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        });
        guest
            .call("write_file", json!({"path": "f", "content": "new"}))
            .unwrap();
        let metadata = fs::metadata(guest.rig.inside().join("f")).unwrap();
        // Content that a tool chose must not run with the rights of the file's owner.
        assert_eq!(metadata.mode() & 0o7777, mode & 0o1777, "{mode:o}");
        assert_eq!(fs::read(guest.rig.inside().join("f")).unwrap(), b"new");
    }
}

#[test]
fn f24_files_with_special_rights_are_not_written_in_place() {
    for mode in [0o4755, 0o2755] {
        let guest = Guest::new(Config::default(), |base| {
            let path = base.join("W/f");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        });
        guest.run(&[
            open("f", "w"),
            op("write").at("f").text("new"),
            open("f", "wt"),
            op("write_stream").at("f").text("new"),
        ]);
        let path = guest.rig.inside().join("f");
        let kept = fs::read(&path).unwrap() == b"old";
        let special = fs::metadata(&path).unwrap().mode() & 0o6000 != 0;
        assert!(kept || !special, "{mode:o}: foreign content with special rights");
    }
}
