//! F30: mandatory denies, for a guest whose approval covers the whole tree in mode yolo.

use std::fs;

use serde_json::{Value, json};
use toolgate::Config;
use toolgate::scope::MandatoryClass;
use toolgate_tests::vectors::{MandatoryRow, load_table};

use crate::moves::all_refused;
use crate::probe::{Guest, Op, is_ok, on, op, open, read, rename};
use crate::tree::canaries;

/// Every way to change what a name means. `stage` is a directory, `file.txt` a file.
fn changes(path: &str) -> Vec<Op> {
    let mut ops: Vec<Op> = ["w", "wf", "wt", "wc", "wcx", "rwc", "cf", "tf"]
        .iter()
        .map(|how| open(path, how))
        .collect();
    for name in ["unlink", "rmdir", "mkdir", "symlink"] {
        ops.push(on(name, path));
    }
    ops.extend([
        on("set_times_at", path).offset(1),
        on("set_times_at", path).how("f").offset(1),
        on("begin", path).named("r"),
        op("put").at("r").text("x"),
        op("commit").at("r"),
        rename("file.txt", path),
        rename("stage", path),
        rename(path, "stolen"),
        on("link", path).to("0").new_path("stolen"),
        on("link", "file.txt").to("0").new_path(path),
    ]);
    ops
}

/// Rows about the root of the scope itself.
fn rows() -> Vec<MandatoryRow> {
    let rows = load_table::<MandatoryRow>("path-mandatory").rows;
    rows.into_iter()
        .filter(|row| row.root.is_none() && !row.outside && row.own.is_empty())
        .collect()
}

fn stage(inside: &std::path::Path) {
    fs::create_dir_all(inside.join("stage/hooks")).unwrap();
    fs::create_dir_all(inside.join("stage/workflows")).unwrap();
    fs::write(inside.join("stage/config"), "planted").unwrap();
    fs::write(inside.join("file.txt"), "inside").unwrap();
}

#[test]
fn f30_nothing_of_a_class_is_made() {
    let guest = Guest::new(Config::default(), |base| stage(&base.join("W")));
    for row in rows() {
        for path in &row.kept {
            all_refused(&guest, &changes(path));
        }
    }
    assert!(
        guest
            .run(&[open("plain.txt", "wc")])
            .iter()
            .all(|outcome| is_ok(outcome))
    );
}

#[test]
fn f30_nothing_of_a_class_is_changed_and_secrets_are_not_read() {
    for row in rows() {
        for path in &row.kept {
            let guest = Guest::new(Config::default(), |base| {
                let inside = base.join("W");
                stage(&inside);
                let file = inside.join(path);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "CANARY-kept").unwrap();
            });
            all_refused(&guest, &changes(path));
            let seen = guest.run(&[open(path, "rf"), read(), on("stat_at", path), on("mode_at", path)]);
            let readable = [true, true, true, true].map(|ok| ok && !row.hides);
            let good: Vec<bool> = seen.iter().map(|outcome| is_ok(outcome)).collect();
            assert_eq!(good, readable, "{path}: {seen:?}");
            if row.hides {
                assert!(
                    seen.iter().all(|outcome| !outcome.contains("CANARY")),
                    "{path}: {seen:?}"
                );
                let absent = guest.run(&[open("absent", "rf"), on("stat_at", "absent")]);
                assert_eq!([&seen[0], &seen[2]], [&absent[0], &absent[1]], "{path} looks absent");
            }
            // Neither by a link, nor by a detour.
            std::os::unix::fs::symlink(path, guest.rig.inside().join("l_kept")).unwrap();
            let detours = [
                open("l_kept", "wf"),
                open("l_kept", "wtf"),
                open(&format!("stage/../{path}"), "w"),
                open(&format!("./{path}/../{}", path.rsplit('/').next().unwrap()), "w"),
            ];
            all_refused(&guest, &detours);
        }
    }
}

#[test]
fn f30_directories_keep_their_names_as_long_as_something_in_them_is_kept() {
    let guest = Guest::new(Config::default(), |base| {
        let inside = base.join("W");
        stage(&inside);
        for folder in [
            ".git/hooks",
            ".git/modules/m/hooks",
            ".github/workflows",
            ".config/fish",
            ".config/git",
            ".aws",
            "sub/.kube",
            "sub/.vscode",
            "plain/below",
        ] {
            fs::create_dir_all(inside.join(folder)).unwrap();
        }
        fs::write(inside.join(".aws/credentials"), "CANARY").unwrap();
        fs::write(inside.join("sub/.kube/config"), "CANARY").unwrap();
    });
    let before = canaries(guest.rig.base.path());
    let mut ops = Vec::new();
    for holder in [
        ".git",
        ".git/hooks",
        ".git/modules",
        ".git/modules/m",
        ".github",
        ".github/workflows",
        ".config",
        ".config/fish",
        ".aws",
        "sub/.kube",
        "sub/.vscode",
    ] {
        ops.extend([
            rename(holder, "moved"),
            rename("stage", holder),
            rename("plain", holder),
            on("set_times_at", holder).offset(1),
        ]);
    }
    // Names that would only then mean something.
    for holder in [
        "new/.git",
        ".docker",
        "plain/.github",
        "sub/.config",
        "stage/.cargo",
        ".vscode",
        ".ssh",
    ] {
        ops.push(rename("stage", holder));
    }
    all_refused(&guest, &ops);
    // What is below keeps its protection under any other name, so the rest moves freely.
    let moves = [
        rename("sub", "sub2"),
        rename("plain", "plain2"),
        on("mkdir", ".docker"),
        on("mkdir", "plain2/.github"),
    ];
    assert_eq!(guest.run(&moves), ["ok"; 4]);
    all_refused(
        &guest,
        &[
            open("sub2/.kube/config", "r"),
            open("sub2/.vscode/x", "wc"),
            open(".docker/config.json", "wc"),
        ],
    );
    assert_eq!(canaries(guest.rig.base.path()), before);
}

#[test]
fn f30_walks_leave_out_what_is_not_read() {
    let hidden = [
        ".env",
        "a/.env.local",
        "a/id_rsa",
        "x.pem",
        "a/b.KEY.key",
        ".ssh/known",
        ".aws/credentials",
    ];
    let shown = [
        ".env.example",
        "a/id_rsa.pub",
        ".aws/config",
        ".git/config",
        ".github/workflows/ci.yml",
        "a.txt",
    ];
    let guest = Guest::new(Config::default(), |base| {
        for path in hidden.iter().chain(&shown) {
            let file = base.join("W").join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, format!("needle in {path}\n")).unwrap();
        }
    });
    let calls: Vec<(&str, Value)> = vec![
        ("grep", json!({"pattern": "needle", "path": "."})),
        ("glob", json!({"pattern": "**/*", "path": "."})),
        ("list_dir", json!({"path": "."})),
        ("list_dir", json!({"path": "a"})),
        ("list_dir", json!({"path": ".aws"})),
        ("read_many_files", json!({"pattern": "**/*"})),
    ];
    let mut all = String::new();
    for (tool, arguments) in calls {
        let text = Value::Object(guest.call(tool, arguments.clone()).unwrap()).to_string();
        for path in hidden {
            let name = path.rsplit('/').next().unwrap();
            let told = text.contains(&format!("{name}\"")) || text.contains(&format!("needle in {path}\\n"));
            assert!(!told, "{tool} {arguments} tells of {path}: {text}");
        }
        all.push_str(&text);
    }
    for path in [".env.example", "id_rsa.pub", "a.txt"] {
        assert!(all.contains(path), "{path}");
    }
    // The same directories through the guest's own listing.
    for (directory, names) in [("a", vec!["id_rsa.pub"]), (".aws", vec!["config"])] {
        let listed = &guest.run(&[open(directory, "rd"), op("list").at("f")])[1];
        assert!(names.iter().all(|name| listed.contains(name)), "{listed}");
        assert!(
            !listed.contains("id_rsa,") && !listed.contains("credentials") && !listed.contains(".env"),
            "{listed}"
        );
    }
}

#[test]
fn f30_what_is_lifted_is_open_but_for_the_control_plane() {
    let mut config = Config::default();
    config.path_scope.lift = vec![
        MandatoryClass::GitHooks,
        MandatoryClass::EditorSettings,
        MandatoryClass::EnvFiles,
        MandatoryClass::ShellStartFiles,
    ];
    let guest = Guest::new(config, |base| {
        fs::create_dir_all(base.join("W/.git/hooks")).unwrap();
        fs::write(base.join("W/.env"), "inside").unwrap();
    });
    assert_eq!(
        guest.run(&[
            open(".env", "r"),
            read(),
            on("mkdir", ".vscode"),
            open(".vscode/x", "wc"),
            open(".env.local", "wc")
        ]),
        ["ok", "ok:inside", "ok", "ok", "ok"]
    );
    // An approval of the whole tree is none of these.
    for path in [
        ".git/hooks/pre-commit",
        ".git/config",
        ".bashrc",
        "sub/.git",
        "a.pem",
        ".gitlab-ci.yml",
    ] {
        all_refused(&guest, &[open(path, "wc"), on("begin", path).named("r")]);
    }
}

#[test]
fn f30_the_hosts_own_directories_are_in_no_scope() {
    let base = tempfile::tempdir().unwrap();
    let top = base.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("W/.cache/toolgate")).unwrap();
    let own = top.join("W/.cache/toolgate");
    for lift in [false, true] {
        let mut config = Config::default();
        if lift {
            config.path_scope.lift.push(MandatoryClass::Own);
        }
        let guest = Guest::with_host(config, |_| {}, |builder| builder.root(top.join("W")).cache_dir(&own));
        fs::write(own.join("secret"), "CANARY").unwrap();
        let read_it = guest.run(&[open(".cache/toolgate/secret", "r"), read()]);
        assert_eq!(is_ok(&read_it[0]), lift, "{read_it:?}");
        let ops: Vec<Op> = [".cache/toolgate/secret", ".cache/toolgate/new", ".cache/toolgate"]
            .iter()
            .flat_map(|path| {
                [
                    open(path, "wc"),
                    on("unlink", path),
                    rename(path, "stolen"),
                    on("begin", path).named("r"),
                ]
            })
            .chain([rename(".cache", "cache")])
            .collect();
        assert!(guest.run(&ops).iter().all(|outcome| !is_ok(outcome)));
        assert_eq!(fs::read_to_string(own.join("secret")).unwrap(), "CANARY");
        let listed = &guest.run(&[open(".cache", "rd"), op("list").at("f")])[1];
        assert_eq!(listed.contains("toolgate"), lift, "{listed}");
        let error = guest
            .call("write_file", json!({"path": ".cache/toolgate/x", "content": "x"}))
            .unwrap_err();
        assert!(error.message.contains("mandatory.own"), "{}", error.message);
    }
}
