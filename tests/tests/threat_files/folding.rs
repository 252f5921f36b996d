//! F14: names that a file system takes for one get one answer, and elsewhere they are different names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use toolgate::Config;
use toolgate::config::AllowPath;

use crate::mounts::Mount;
use crate::probe::{Guest, Op, is_ok, on, op, open, read, rename};

/// File systems that fold, with the commands that make one and mount it. `IMAGE` and `AT` are replaced.
const KINDS: [(&str, &[&str], &[&str]); 3] = [
    ("vfat", &["mkfs.vfat", "IMAGE"], &["mount", "-o", "loop", "IMAGE", "AT"]),
    (
        "ext4 with casefold",
        &[
            "mkfs.ext4",
            "-q",
            "-F",
            "-O",
            "casefold",
            "-E",
            "encoding=utf8,root_owner",
            "IMAGE",
        ],
        &["mount", "-o", "loop", "IMAGE", "AT"],
    ),
    (
        "ntfs",
        &["mkntfs", "-q", "-F", "-f", "IMAGE"],
        &["lowntfs-3g", "-o", "ignore_case,loop", "IMAGE", "AT"],
    ),
];

/// An empty file system that folds, mounted; `None`, with a note, where that is not to be had.
fn folding(kind: usize, image: &Path, at: &Path) -> Option<Mount> {
    let (name, make, mount) = KINDS[kind];
    if !crate::root_for(name) || !crate::program_for(make[0], name) || !crate::program_for(mount[0], name) {
        return None;
    }
    fs::File::create(image).unwrap().set_len(64 << 20).unwrap();
    for command in [make, mount] {
        let filled = command.iter().map(|word| match *word {
            "IMAGE" => image.as_os_str(),
            "AT" => at.as_os_str(),
            word => word.as_ref(),
        });
        let filled: Vec<_> = filled.collect();
        let ran = Command::new(filled[0]).args(&filled[1..]).output().unwrap();
        if !ran.status.success() {
            let why = String::from_utf8_lossy(&ran.stderr).trim().replace('\n', " ");
            crate::left_out(name, &format!("{} fails here: {why}", command[0]));
            return None;
        }
    }
    let mounted = Mount::made(at, Ok(()))?;
    if name.starts_with("ext4") {
        let _ = fs::remove_dir(at.join("lost+found"));
        assert!(Command::new("chattr").arg("+F").arg(at).status().unwrap().success());
    }
    Some(mounted)
}

fn config() -> Config {
    let mut config = Config::default();
    config.path_scope.deny = ["./secrets/...", "**/hidden*.txt", "*.geheim"]
        .map(str::to_owned)
        .to_vec();
    config.path_scope.allow_paths.push(AllowPath {
        path: "./ro/...".to_owned(),
        access: "r".to_owned(),
        mode: None,
    });
    config
}

fn fill(inside: &Path) {
    for folder in ["secrets", "dir", "ro", ".git/hooks", ".agents", ".ssh"] {
        fs::create_dir_all(inside.join(folder)).unwrap();
    }
    for (file, content) in [
        (".env", "CANARY"),
        ("secrets/key.txt", "CANARY"),
        ("dir/hidden1.txt", "CANARY"),
        ("dir/in.txt", "inside"),
        ("x.geheim", "CANARY"),
        ("id_rsa", "CANARY"),
        ("dir/a.pem", "CANARY"),
        (".ssh/known", "CANARY"),
        (".git/config", "inside"),
        (".agents/config.json", "inside"),
        ("ro/x", "inside"),
        ("own.toml", "inside"),
        ("file.txt", "inside"),
    ] {
        fs::write(inside.join(file), content).unwrap();
    }
}

/// Other spellings of names that are not read, whether they exist or not.
const HIDDEN: [&str; 14] = [
    ".ENV",
    ".Env",
    "DIR/.ENV",
    ".ENV.local",
    "SECRETS/key.txt",
    "Secrets/KEY.TXT",
    "secretS/new",
    "dir/HIDDEN1.TXT",
    "DIR/hidden2.Txt",
    "X.GEHEIM",
    "ID_RSA",
    "dir/A.PEM",
    ".SSH/known",
    "dir/new.Key",
];
/// Other spellings of names that are not changed.
const KEPT: [&str; 12] = [
    ".GIT/config",
    ".Git/Config",
    ".git/HOOKS/pre-commit",
    ".GIT/hooks/new",
    ".VSCODE/x",
    ".Vscode",
    ".GITHUB/Workflows/x.yml",
    ".BashRC",
    ".AGENTS/config.json",
    ".Agents/MCP.json",
    "RO/x",
    "Ro/new",
];

fn changes(path: &str) -> Vec<Op> {
    vec![
        open(path, "w"),
        open(path, "wt"),
        open(path, "wc"),
        open(path, "wcx"),
        on("unlink", path),
        on("begin", path).named("r"),
        rename("file.txt", path),
        rename(path, "stolen"),
    ]
}

fn content(inside: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut ahead = vec![inside.to_owned()];
    while let Some(directory) = ahead.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
            } else {
                all.push((path.clone(), fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

fn f14_on(kind: usize) {
    let images = tempfile::tempdir().unwrap();
    let mut mount = None;
    let guest = Guest::with_host(
        config(),
        |base| {
            mount = folding(kind, &images.path().join("image"), &base.join("W"));
            fill(&base.join("W"));
        },
        |builder| builder,
    );
    // Ends before the tree is removed.
    let Some(_mount) = mount.take() else { return };
    let inside = guest.rig.inside();
    assert!(inside.join("DIR/IN.txt").exists(), "{} does not fold", KINDS[kind].0);
    let before = content(&inside);
    for path in HIDDEN {
        let ops = [
            open(path, "r"),
            read(),
            open(path, "rf"),
            on("stat_at", path),
            on("mode_at", path),
            on("readlink", path),
        ];
        let outcomes = guest.run(&ops);
        assert!(outcomes.iter().all(|outcome| !is_ok(outcome)), "{path}: {outcomes:?}");
        assert!(guest.call("read_file", json!({"path": path})).is_err(), "{path}");
    }
    for path in HIDDEN.iter().chain(&KEPT) {
        let ops = changes(path);
        for (op, outcome) in ops.iter().zip(guest.run(&ops)) {
            assert!(!is_ok(&outcome), "{op:?}: {outcome}");
        }
        let written = guest.call("write_file", json!({"path": path, "content": "x"}));
        assert!(written.is_err(), "{path}");
    }
    assert_eq!(content(&inside), before);
    // Directories that hold something kept are known by any spelling.
    for (old, new) in [
        (".GIT", "git"),
        ("dir", ".GITHUB"),
        ("SECRETS", "public"),
        (".Agents", "agents"),
    ] {
        assert!(!is_ok(&guest.run(&[rename(old, new)])[0]), "{old} to {new}");
    }
    // Everything else works by any name.
    let free = [
        open("DIR/In.Txt", "r"),
        read(),
        open("FILE.txt", "w"),
        open("Dir/New.txt", "wc"),
        on("stat_at", "DIR"),
    ];
    let outcomes = guest.run(&free);
    assert!(outcomes.iter().all(|outcome| is_ok(outcome)), "{outcomes:?}");
    let listed = &guest.run(&[open(".", "rd"), op("list").at("f")])[1];
    assert!(
        !listed.to_lowercase().contains(".env") && !listed.to_lowercase().contains("id_rsa"),
        "{listed}"
    );
    f14_own_file(&inside);
}

/// The file that the host is configured by, under another spelling.
fn f14_own_file(inside: &Path) {
    let host = toolgate_tests::rig::builder(inside)
        .mode(toolgate::Mode::Yolo)
        .own_file(inside.join("own.toml"))
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for path in ["own.toml", "OWN.toml", "Own.Toml"] {
        let call = toolgate::Call::new("write_file", json!({"path": path, "content": "x"}));
        let error = runtime
            .block_on(host.session(toolgate::SessionOptions::default()).call(call))
            .unwrap_err();
        assert!(error.message.contains("control-plane"), "{path}: {}", error.message);
    }
}

#[test]
fn f14_vfat() {
    f14_on(0);
}

#[test]
fn f14_ext4_casefold() {
    f14_on(1);
}

#[test]
fn f14_ntfs() {
    f14_on(2);
}

/// On a usual directory another spelling is another file.
#[test]
fn f14_where_case_counts_nothing_changes() {
    let guest = Guest::new(config(), |base| fill(&base.join("W")));
    for path in HIDDEN.iter().filter(|path| !path.contains('/')) {
        assert_eq!(guest.run(&[open(path, "wc"), open(path, "r")]), ["ok", "ok"], "{path}");
    }
    let steps = [
        on("mkdir", "SECRETS"),
        open("SECRETS/key.txt", "wc"),
        on("mkdir", ".Vscode"),
        open(".Vscode/x", "wc"),
        on("mkdir", "RO"),
        open("RO/x", "wc"),
        open("OWN.toml", "wc"),
        on("unlink", ".ENV"),
    ];
    let outcomes = guest.run(&steps);
    assert!(outcomes.iter().all(|outcome| is_ok(outcome)), "{outcomes:?}");
    assert_eq!(fs::read(guest.rig.inside().join(".env")).unwrap(), b"CANARY");
}

/// Where two spellings are one object, they have one answer, whatever the directory does with case.
#[test]
fn f14_one_object_under_two_spellings() {
    let mut config = config();
    config.path_scope.hardlinks = toolgate::config::Hardlinks::Allow;
    let guest = Guest::new(config, |base| {
        fill(&base.join("W"));
        fs::hard_link(base.join("W/.env"), base.join("W/.ENV")).unwrap();
    });
    let outcomes = guest.run(&[open(".ENV", "r"), read(), open(".ENV", "w"), on("unlink", ".ENV")]);
    assert!(outcomes.iter().all(|outcome| !is_ok(outcome)), "{outcomes:?}");
}

/// The host's own configuration by another name: a second name, and another mount of it.
#[test]
fn f14_own_files_are_known_by_what_they_are() {
    let mut config = Config::default();
    config.path_scope.hardlinks = toolgate::config::Hardlinks::Allow;
    config.path_scope.cross_device = true;
    let base = tempfile::tempdir().unwrap();
    let own = base.path().join("own.toml");
    fs::write(&own, "inside").unwrap();
    let guest = Guest::with_host(
        config,
        |base| {
            fs::write(base.join("W/mounted.toml"), "").unwrap();
            fs::hard_link(&own, base.join("W/linked.toml")).unwrap();
        },
        |builder| builder.own_file(&own),
    );
    let mut names = vec!["linked.toml"];
    let _mount = crate::root_for("a mount of the host's own file")
        .then(|| Mount::bind(&own, &guest.rig.inside().join("mounted.toml")))
        .flatten();
    if _mount.is_some() {
        names.push("mounted.toml");
    }
    for name in names {
        for (op, outcome) in changes(name).iter().zip(guest.run(&changes(name))) {
            assert!(!is_ok(&outcome), "{op:?}: {outcome}");
        }
        let error = guest
            .call("write_file", json!({"path": name, "content": "x"}))
            .unwrap_err();
        assert!(error.message.contains("control-plane"), "{}", error.message);
    }
    assert_eq!(fs::read_to_string(&own).unwrap(), "inside");
}
