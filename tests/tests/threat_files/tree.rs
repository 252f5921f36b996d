//! Trees of files: building them, and seeing whether anything changed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

/// In files outside the scope.
pub(crate) const OUTSIDE: &str = "CANARY-outside";
/// In files that the deny list hides.
pub(crate) const DENIED: &str = "CANARY-denied";
/// In every canary.
pub(crate) const CANARY: &str = "CANARY";
/// In files that may be read.
pub(crate) const INSIDE: &str = "inside";

/// The deny list that goes with [`build`].
pub(crate) fn config() -> toolgate::Config {
    let mut config = toolgate::Config::default();
    config.path_scope.deny = vec!["./secrets/...".to_owned(), "**/.env".to_owned()];
    config
}

/// Makes what is missing of the usual tree: files, denied files, files outside, and links of
/// every kind to all of them.
pub(crate) fn build(base: &Path) {
    let inside = base.join("W");
    for folder in ["W/dir", "W/a/b/c", "W/empty", "W/secrets/deep", "O/sub"] {
        fs::create_dir_all(base.join(folder)).unwrap();
    }
    let files = [
        ("W/file.txt", INSIDE),
        ("W/dir/in.txt", INSIDE),
        ("W/a/b/c/deep.txt", INSIDE),
        ("W/secrets/key.txt", DENIED),
        ("W/secrets/deep/key.txt", DENIED),
        ("W/.env", DENIED),
        ("W/dir/.env", DENIED),
        ("O/canary.txt", OUTSIDE),
        ("O/sub/canary.txt", OUTSIDE),
    ];
    for (file, content) in files {
        let path = base.join(file);
        if !path.exists() {
            fs::write(path, content).unwrap();
        }
    }
    let outside = base.join("O");
    let absolute = outside.to_str().unwrap();
    let canary = outside.join("canary.txt");
    let links = [
        ("l_out", "../O"),
        ("l_out_abs", absolute),
        ("l_file_out", "../O/canary.txt"),
        ("l_file_abs", canary.to_str().unwrap()),
        ("l_denied", "secrets"),
        ("l_env", ".env"),
        ("l_dir", "dir"),
        ("l_file", "file.txt"),
        ("l_chain", "l_dir"),
        ("l_chain_out", "l_out"),
        ("l_root", "/proc/self/root"),
        ("l_cwd", "/proc/self/cwd"),
        ("l_fd", "/dev/fd"),
        ("l_dangling", "nowhere"),
        ("l_loop", "l_loop"),
        ("dir/up", ".."),
        ("dir/upup", "../.."),
        ("a/b/far", "../../../O"),
    ];
    for (link, target) in links {
        let path = inside.join(link);
        if fs::symlink_metadata(&path).is_err() {
            symlink(target, path).unwrap();
        }
    }
}

/// What a file system object is, so that any change shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seen {
    pub(crate) inode: u64,
    pub(crate) mode: u32,
    pub(crate) links: u64,
    pub(crate) modified: (i64, i64),
    pub(crate) content: Vec<u8>,
}

/// Everything below a directory, by relative path. Times of access are left out: reading sets them.
pub(crate) fn snapshot(top: &Path) -> BTreeMap<String, Seen> {
    let mut all = BTreeMap::new();
    visit(top, "", &mut all);
    all
}

fn visit(top: &Path, relative: &str, all: &mut BTreeMap<String, Seen>) {
    let path = top.join(relative);
    let metadata = fs::symlink_metadata(&path).unwrap();
    let content = if metadata.is_symlink() {
        fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
    } else if metadata.is_file() {
        fs::read(&path).unwrap()
    } else {
        Vec::new()
    };
    let seen = Seen {
        inode: metadata.ino(),
        mode: metadata.mode(),
        links: metadata.nlink(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        content,
    };
    all.insert(relative.to_owned(), seen);
    if metadata.is_dir() {
        for entry in fs::read_dir(&path).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let below = if relative.is_empty() {
                name
            } else {
                format!("{relative}/{name}")
            };
            visit(top, &below, all);
        }
    }
}

/// The canary files of the tree, whatever their names are by now.
pub(crate) fn canaries(base: &Path) -> Vec<Seen> {
    let mut all: Vec<Seen> = ["W", "O"]
        .iter()
        .flat_map(|top| snapshot(&base.join(top)).into_values())
        .filter(|seen| seen.content.starts_with(CANARY.as_bytes()))
        .collect();
    all.sort();
    all
}
