//! F23: other file systems mounted below the scope.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, unmount};
use toolgate::Config;

use crate::probe::{Guest, Op, is_ok, on, op, open, read, rename};
use crate::tree::{CANARY, OUTSIDE, build, canaries};

/// A mount that ends with the test.
pub(crate) struct Mount(PathBuf);

impl Mount {
    /// A memory file system of so many KiB; `None`, with a note, where that is not permitted.
    pub(crate) fn tmpfs(at: &Path, kib: u32) -> Option<Self> {
        let options = std::ffi::CString::new(format!("size={kib}k,mode=755")).unwrap();
        let mounted = mount("tmpfs", at, "tmpfs", MountFlags::NODEV, Some(options.as_c_str()));
        Self::made(at, mounted)
    }

    pub(crate) fn bind(from: &Path, at: &Path) -> Option<Self> {
        Self::made(at, mount_bind(from, at))
    }

    pub(crate) fn made(at: &Path, mounted: rustix::io::Result<()>) -> Option<Self> {
        match mounted {
            Ok(()) => Some(Self(at.to_owned())),
            Err(error) => {
                crate::left_out("mounts", &format!("mounting fails: {error}"));
                None
            }
        }
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = unmount(&self.0, UnmountFlags::DETACH);
    }
}

/// Everything that could cross into a mounted directory, or change it.
fn crossings(top: &str) -> Vec<Op> {
    let at = |name: &str| format!("{top}/{name}");
    let mut ops = Vec::new();
    for path in [
        at("canary.txt"),
        at("sub/canary.txt"),
        top.to_owned(),
        at("."),
        at("new"),
    ] {
        for how in ["r", "rf", "rd", "w", "wcf", "wcx"] {
            ops.extend([
                open(&path, how),
                read(),
                op("list").at("f"),
                op("write").at("f").text("x"),
            ]);
        }
        ops.extend([
            on("stat_at", &path),
            on("hash_at", &path).how("f"),
            on("mode_at", &path),
            on("readlink", &path),
            on("mkdir", &path),
            on("unlink", &path),
            on("rmdir", &path),
            on("set_times_at", &path).offset(1),
            on("begin", &path).named("r"),
            op("put").at("r").text("x"),
            op("commit").at("r"),
            rename("dir/in.txt", &path),
            rename(&path, "stolen"),
            rename("empty", &path),
        ]);
    }
    ops
}

#[test]
fn f23_mounts_are_not_crossed() {
    if !crate::root_for("mounts below the scope") {
        return;
    }
    let guest = Guest::new(Config::default(), |base| {
        build(base);
        for point in ["W/tmp", "W/bind", "W/a/racing"] {
            fs::create_dir(base.join(point)).unwrap();
        }
        fs::write(base.join("W/bound_file"), "").unwrap();
    });
    let (inside, outside) = (guest.rig.inside(), guest.rig.outside());
    let Some(_tmp) = Mount::tmpfs(&inside.join("tmp"), 1024) else {
        return;
    };
    let Some(_bind) = Mount::bind(&outside, &inside.join("bind")) else {
        return;
    };
    let Some(_file) = Mount::bind(&outside.join("canary.txt"), &inside.join("bound_file")) else {
        return;
    };
    fs::write(inside.join("tmp/canary.txt"), OUTSIDE).unwrap();
    let before = (
        canaries(guest.rig.base.path()),
        fs::metadata(&outside).unwrap().modified().unwrap(),
    );
    for top in ["tmp", "bind", "bound_file"] {
        let ops = crossings(top);
        for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
            assert!(!is_ok(&outcome), "{op:?}: {outcome}");
        }
    }
    assert_eq!(
        (
            canaries(guest.rig.base.path()),
            fs::metadata(&outside).unwrap().modified().unwrap()
        ),
        before
    );
    assert!(inside.join("dir/in.txt").exists());

    // A mount that comes and goes: either what lies below it, or nothing.
    let point = inside.join("a/racing");
    fs::write(point.join("canary.txt"), "inside").unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mounter = std::thread::spawn({
        let (stop, outside) = (Arc::clone(&stop), outside.clone());
        move || {
            let mut times = 0;
            while !stop.load(Ordering::Relaxed) {
                drop(Mount::bind(&outside, &point));
                times += 1;
            }
            times
        }
    });
    let script = [
        open("a/racing/canary.txt", "rf"),
        read(),
        open("a/racing", "rd").named("d"),
        open("canary.txt", "r").at("d"),
        read(),
    ];
    let mut seen = BTreeSet::new();
    let started = std::time::Instant::now();
    let hit = |seen: &BTreeSet<String>| seen.contains("ok:inside") && seen.contains("not-permitted");
    while !hit(&seen) && started.elapsed() < crate::PATIENCE {
        seen.extend(
            guest
                .count(1_000, &script)
                .into_iter()
                .flat_map(|count| count.into_keys()),
        );
    }
    stop.store(true, Ordering::Relaxed);
    assert!(mounter.join().unwrap() > 0);
    assert!(hit(&seen), "{seen:?}");
    assert!(seen.iter().all(|outcome| !outcome.contains(CANARY)), "{seen:?}");
}

#[test]
fn f23_the_operator_can_permit_them() {
    if !crate::root_for("mounts below the scope") {
        return;
    }
    let mut config = Config::default();
    config.path_scope.cross_device = true;
    let guest = Guest::new(config, |base| fs::create_dir(base.join("W/tmp")).unwrap());
    let point = guest.rig.inside().join("tmp");
    let Some(_tmp) = Mount::tmpfs(&point, 1024) else { return };
    fs::write(point.join("f"), "inside").unwrap();
    assert_eq!(
        guest.run(&[open("tmp/f", "r"), read(), open("tmp/g", "wc")]),
        ["ok", "ok:inside", "ok"]
    );
}
