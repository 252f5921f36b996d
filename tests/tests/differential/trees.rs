//! The trees that are searched.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Directories that searches do not enter.
pub(crate) const SKIPPED: [&str; 5] = [".git", ".svn", ".hg", "node_modules", "vendor"];

/// A copy of this repository without what is built, and with what is hard to search; removed at the end.
pub(crate) struct Repository {
    directory: tempfile::TempDir,
}

impl Repository {
    pub(crate) fn copy() -> Self {
        let directory = tempfile::Builder::new().prefix("toolgate-").tempdir().unwrap();
        let top = directory.path().canonicalize().unwrap();
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for part in [
            "host",
            "plugins",
            "tests",
            "docs",
            "wit",
            "scripts",
            "Cargo.toml",
            "README.md",
        ] {
            copy(&repository.join(part), &top.join(part));
        }
        plant(&top.join("planted"));
        Self { directory }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }
}

/// The sources of cargo's registry, if there are any.
pub(crate) fn registry() -> Option<PathBuf> {
    let home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir()?.join(".cargo"),
    };
    let registry = home.join("registry/src").canonicalize().ok();
    if registry.is_none() {
        // Not by a macro: those are captured.
        let note = b"note: cargo's registry has no sources; only a copy of this repository is searched\n";
        std::io::stderr().write_all(note).unwrap();
    }
    registry
}

fn copy(from: &Path, to: &Path) {
    let Ok(metadata) = fs::symlink_metadata(from) else {
        // Whoever works in the repository may have removed it.
        return;
    };
    if metadata.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).into_iter().flatten().flatten() {
            if entry.file_name() != "target" {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        }
    } else if metadata.is_file()
        && let Ok(content) = fs::read(from)
    {
        fs::write(to, content).unwrap();
    }
}

fn plant(top: &Path) {
    let write = |path: &str, content: &[u8]| {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("crlf.txt", b"first TODO\r\n\r\nself x;\r\n \t\r\na\rb;\r\r\nlast self;");
    write("latin1.txt", b"caf\xe9 unwrap\n\xff\xfe needle\xe9\n\xc3\n");
    write("bom.txt", b"\xef\xbb\xbfuse x;\nuse y;\n");
    write("binary", b"unwrap needle\0\n");
    let late = [b"unwrap\n".repeat(2000), b"unwrap \0 needle\n".to_vec()].concat();
    write("late-nul.txt", &late);
    let long = "ab é ".repeat(400_000);
    write(
        "long.txt",
        format!("needle\n{long}needle{long}\n{long}\nneedle;").as_bytes(),
    );
    write("blank.txt", b"\n\n \t\n\n");
    write("empty.txt", b"");
    for skipped in SKIPPED {
        write(&format!("deep/er/{skipped}/x.rs"), b"fn main() { needle.unwrap() }\n");
    }
    write("worktree/.git", b"needle\n");
    write(".hidden/x.rs", b"needle.unwrap();\n");
    for name in [
        "a/z.txt",
        "a/z/z.txt",
        "a-b.txt",
        "a.txt",
        "a b.txt",
        "\u{e9}.txt",
        "z\u{301}.txt",
        "[x].txt",
        "B.txt",
    ] {
        write(&format!("order/{name}"), b"needle\n");
    }
    // Results of very different sizes, in more directories than there are parts.
    for folder in 0..120_usize {
        for file in 0..6 {
            let text = "x".repeat((folder * 37 + file * 211) % 700);
            let lines = format!("needle {text}\n").repeat(folder * 7 % 5);
            write(&format!("many/{folder}/{file}.txt"), lines.as_bytes());
        }
    }
    symlink("bom.txt", top.join("link.txt")).unwrap();
    symlink("nothing.txt", top.join("dangling.txt")).unwrap();
    symlink("order", top.join("directory.txt")).unwrap();
    symlink("/proc/version", top.join("outside.txt")).unwrap();
    symlink("..", top.join("order/loop")).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    rustix::fs::mknodat(
        rustix::fs::CWD,
        top.join("pipe.txt"),
        rustix::fs::FileType::Fifo,
        mode,
        0,
    )
    .unwrap();
}
