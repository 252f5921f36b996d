//! Whether the disk takes two spellings of a path for one. Asked only when the answer decides something.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, ResolveFlags};

/// `f_type` of file systems where names differ in more than case or never by
/// it: FAT, exFAT, NTFS, HFS, HFS+, APFS, SMB (`linux/magic.h` and their drivers).
const FOLDING: [u64; 9] = [
    0x4d44,
    0x2011_bab0,
    0x5346_544e,
    0x7366_746e,
    0x4244,
    0x482b,
    0x4253_5041,
    0xff53_4d42,
    0xfe53_4d42,
];
/// FAT and NTFS, where long names have a short one besides.
const SHORT_NAMES: [u64; 3] = [0x4d44, 0x5346_544e, 0x7366_746e];
/// `FS_CASEFOLD_FL`: set for single directories of ext4, f2fs and tmpfs.
const CASEFOLD: u32 = 0x4000_0000;
/// Entries of a directory that are looked at to find one with a letter in it.
const PROBED: usize = 256;

/// Whether any directory on the way to `relative` takes names that differ in
/// case for one, or an entry on the way is the same object under its other case.
pub(super) fn folds(root: BorrowedFd<'_>, relative: &str) -> bool {
    let mut held = None;
    for name in relative.split('/') {
        let here = held.as_ref().map_or(root, |fd: &OwnedFd| fd.as_fd());
        let Ok(directory) = open_directory(here, ".") else {
            // What cannot be listed can still be told by its file system.
            return rustix::fs::fstatfs(here).is_ok_and(|stat| is_magic(&FOLDING, &stat));
        };
        if directory_folds(&directory) || is_one(&directory, name, &swapped(name)) {
            return true;
        }
        match open_directory(directory.as_fd(), name) {
            Ok(next) => held = Some(next),
            Err(_) => return false,
        }
    }
    false
}

fn open_directory(parent: BorrowedFd<'_>, name: &str) -> rustix::io::Result<OwnedFd> {
    rustix::fs::openat2(
        parent,
        name,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK,
        Mode::empty(),
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    )
}

fn directory_folds(directory: &OwnedFd) -> bool {
    if rustix::fs::fstatfs(directory).is_ok_and(|stat| is_magic(&FOLDING, &stat)) {
        return true;
    }
    if rustix::fs::ioctl_getflags(directory).is_ok_and(|flags| flags.bits() & CASEFOLD != 0) {
        return true;
    }
    // Others, FUSE above all, do not say: an entry under its other case does.
    let Ok(entries) = Dir::read_from(directory) else {
        return false;
    };
    let named = entries.take(PROBED).filter_map(|entry| {
        let name = entry.ok()?.file_name().to_str().ok()?.to_owned();
        let other = swapped(&name);
        (other != name).then_some((name, other))
    });
    for (name, other) in named {
        match rustix::fs::statat(directory, &*other, AtFlags::SYMLINK_NOFOLLOW) {
            // Two names of one file are two entries, which is no proof: look at the next.
            Ok(_) if is_one(directory, &name, &other) && !lists(directory, &other) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    false
}

fn is_magic(all: &[u64], stat: &rustix::fs::StatFs) -> bool {
    // Its type differs between architectures; the numbers have 32 bits.
    #[allow(clippy::unnecessary_cast, clippy::cast_sign_loss)]
    let magic = stat.f_type as u64 & 0xffff_ffff;
    all.contains(&magic)
}

/// Whether two names in a directory are one object.
fn is_one(directory: &OwnedFd, name: &str, other: &str) -> bool {
    let look = |name: &str| rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    name != other && matches!((look(name), look(other)), (Ok(a), Ok(b)) if (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino))
}

fn lists(directory: &OwnedFd, name: &str) -> bool {
    Dir::read_from(directory).is_ok_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_bytes() == name.as_bytes()))
    })
}

/// The name with small letters for large ones and the other way round.
fn swapped(name: &str) -> String {
    let swap = |char: char| match char {
        'a'..='z' => char.to_ascii_uppercase(),
        _ => char.to_ascii_lowercase(),
    };
    name.chars().map(swap).collect()
}

/// The path with names as the directories list them, where a file system
/// gives files a short name besides; `None` where nothing differs.
pub(super) fn listed(root: BorrowedFd<'_>, relative: &str) -> Option<String> {
    if !relative.contains('~') {
        return None;
    }
    let mut held = open_directory(root, ".").ok()?;
    let mut names: Vec<String> = relative.split('/').map(str::to_owned).collect();
    let mut differs = false;
    for name in &mut names {
        let short = rustix::fs::fstatfs(&held).is_ok_and(|stat| is_magic(&SHORT_NAMES, &stat));
        if short && name.contains('~') && !lists(&held, name) {
            // Held open, so that the file system keeps its number meanwhile.
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let object = rustix::fs::openat(&held, &**name, flags, Mode::empty()).ok()?;
            let number = rustix::fs::fstat(&object).ok()?.st_ino;
            let mut entries = Dir::read_from(&held).ok()?;
            let found = entries.find_map(|entry| entry.ok().filter(|entry| entry.ino() == number))?;
            *name = found.file_name().to_str().ok()?.to_owned();
            differs = true;
        }
        match open_directory(held.as_fd(), name) {
            Ok(next) => held = next,
            Err(_) => break,
        }
    }
    differs.then(|| names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(directory: &std::path::Path) -> OwnedFd {
        rustix::fs::open(directory, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap()
    }

    #[test]
    fn two_names_of_one_file_do_not_make_a_directory_fold() {
        let base = tempfile::tempdir().unwrap();
        std::fs::write(base.path().join("Abc"), "").unwrap();
        std::fs::hard_link(base.path().join("Abc"), base.path().join("aBC")).unwrap();
        std::fs::create_dir(base.path().join("sub")).unwrap();
        let root = at(base.path());
        assert!(folds(root.as_fd(), "Abc"), "one object under its other case");
        assert!(!folds(root.as_fd(), "other") && !folds(root.as_fd(), "sub/x"));
        assert!(!folds(root.as_fd(), "missing/x") && !folds(root.as_fd(), ""));
        assert_eq!(listed(root.as_fd(), "ABC~1"), None);
    }
}
