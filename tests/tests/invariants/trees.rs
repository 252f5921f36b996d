//! Trees that chance makes: odd names, odd contents, links to everywhere.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;

/// What to make, in this order; what cannot be made, for example below a file, is left out.
#[derive(Debug, Clone)]
pub(crate) struct Tree(Vec<(Vec<String>, Node)>);

#[derive(Debug, Clone)]
enum Node {
    File(Vec<u8>, u32),
    Directory,
    Link(Target),
}

#[derive(Debug, Clone)]
enum Target {
    /// A name, or a path of names, which may exist or not.
    Near(String),
    /// A path in the directory outside.
    Outside(&'static str),
}

impl Tree {
    pub(crate) fn build(&self, top: &Path, outside: &Path) {
        for (names, node) in &self.0 {
            let Some(path) = below(top, names) else {
                continue;
            };
            // A name that is taken stays what it is.
            if fs::symlink_metadata(&path).is_ok() {
                continue;
            }
            match node {
                Node::File(content, mode) => {
                    fs::write(&path, content).unwrap();
                    fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).unwrap();
                }
                Node::Directory => fs::create_dir(&path).unwrap(),
                Node::Link(Target::Near(target)) => symlink(target, &path).unwrap(),
                Node::Link(Target::Outside(target)) => symlink(outside.join(target), &path).unwrap(),
            }
        }
    }
}

/// The path of these names, with the directories above it made; none if that is not possible, or only through a link.
fn below(top: &Path, names: &[String]) -> Option<PathBuf> {
    let mut path = top.to_owned();
    let (last, above) = names.split_last()?;
    for name in above {
        path.push(name);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return None,
            Err(_) => fs::create_dir(&path).unwrap(),
        }
    }
    Some(path.join(last))
}

fn name() -> impl Strategy<Value = String> {
    let usual = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "a b",
        "a-b",
        "x.rs",
        "x.go",
        "y.json",
        ".hidden",
        ".git",
        "vendor",
        "node_modules",
    ]);
    let odd = "[ .a-zé世\\\\\"'*\\[{~-]{1,6}".prop_filter("no name", |name| name != "." && name != "..");
    prop_oneof![3 => usual.prop_map(str::to_owned), 1 => odd]
}

/// Some bytes of a file.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let fixed: Vec<&[u8]> = vec![
        b"needle\n",
        b"a needle, and more\r\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"line",
        b"{\"a\": [1, 2]}\n",
        b"fn f() {}\n",
        "caf\u{e9} \u{4e16} needle\n".as_bytes(),
    ];
    prop_oneof![
        8 => prop::sample::select(fixed).prop_map(<[u8]>::to_vec),
        2 => "[ -~]{0,40}\n".prop_map(String::into_bytes),
        1 => (b'a'..=b'z', 200..1300_usize).prop_map(|(byte, count)| vec![byte; count]),
    ]
}

/// Text of UTF-8 without NUL.
pub(crate) fn utf8() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..12).prop_map(|pieces| String::from_utf8(pieces.concat()).unwrap())
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let spoilt = prop::sample::select(vec![&b"\xff\xfe needle\n"[..], b"\0", b"\xc3", b"\xef\xbb\xbf"]);
    let piece = prop_oneof![12 => piece(), 1 => spoilt.prop_map(<[u8]>::to_vec)];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn node() -> impl Strategy<Value = Node> {
    let modes = prop::sample::select(vec![0o644, 0o600, 0o755, 0o444]);
    let near = prop_oneof![
        name(),
        (name(), name()).prop_map(|(one, other)| format!("{one}/{other}")),
        Just(".".to_owned()),
        Just("..".to_owned()),
        Just("../../..".to_owned()),
    ];
    let outside = prop::sample::select(vec!["", "sub", "secret.txt", "sub/secret.txt", "absent"]);
    prop_oneof![
        6 => (content(), modes).prop_map(|(content, mode)| Node::File(content, mode)),
        1 => Just(Node::Directory),
        2 => near.prop_map(|target| Node::Link(Target::Near(target))),
        1 => outside.prop_map(|target| Node::Link(Target::Outside(target))),
    ]
}

/// Trees of up to some twenty entries, three levels deep.
pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let entry = (prop::collection::vec(name(), 1..4), node());
    prop::collection::vec(entry, 0..16).prop_map(Tree)
}
