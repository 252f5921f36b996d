//! A real tree with links of every kind, made once for all inputs.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The directories below the base; each holds the same files.
const FOLDERS: [&str; 10] = [
    "proj",
    "proj/a",
    "proj/a/b",
    "proj/a/b/c",
    "proj/dir",
    "proj/secrets",
    "proj/secrets/a",
    "out",
    "out/d",
    "home",
];
const FILES: [&str; 3] = ["in.txt", ".env", "x.pem"];
/// Place and text of each link. `@` stands for the base.
const LINKS: [(&str, &str); 22] = [
    ("proj/l_dir", "a"),
    ("proj/l_in", "l_dir/in.txt"),
    ("proj/l_env", ".env"),
    ("proj/l_here", "."),
    ("proj/l_up", ".."),
    ("proj/l_out", "../out"),
    ("proj/l_abs", "@/out/in.txt"),
    ("proj/l_gone", "gone"),
    ("proj/l_gone_dir", "gone/far"),
    ("proj/l_gone_too", "l_gone"),
    ("proj/l_loop", "l_loop"),
    ("proj/l_file", "in.txt/x"),
    ("proj/l_far", "a/b/c"),
    ("proj/l_back", "l_far/../in.txt"),
    ("proj/l_gone_back", "gone/../in.txt"),
    ("proj/l_gone_up", "gone/../a"),
    ("proj/l_slash", "in.txt/"),
    ("proj/l_dir_slash", "a/b/"),
    ("proj/a/l_up", "../dir"),
    ("proj/a/b/l_root", "/"),
    ("proj/secrets/l_out", "../dir/in.txt"),
    ("out/l_in", "../proj/a"),
];

/// Where the tree is; it goes with this value.
#[derive(Debug)]
pub(crate) struct Tree {
    base: String,
    _folder: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in FOLDERS {
            fs::create_dir_all(base.join(name)).unwrap();
            for file in FILES {
                fs::write(base.join(name).join(file), file).unwrap();
            }
        }
        let base = base.to_str().unwrap().to_owned();
        for (place, text) in LINKS {
            symlink(text.replace('@', &base), Path::new(&base).join(place)).unwrap();
        }
        Self { base, _folder: folder }
    }

    /// The root of the scope.
    pub(crate) fn project(&self) -> String {
        format!("{}/proj", self.base)
    }

    /// What `~` stands for.
    pub(crate) fn home(&self) -> String {
        format!("{}/home", self.base)
    }

    /// A text of an input, with `$W` for the project and `$T` for what it lies in.
    pub(crate) fn expand(&self, text: &str) -> String {
        text.replace("$W", &self.project()).replace("$T", &self.base)
    }
}
