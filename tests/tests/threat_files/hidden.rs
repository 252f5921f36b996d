//! F13: whether something denied exists is not to be found out.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::probe::{Guest, Op, on, op, open, rename};

/// Two trees that differ only in whether the denied things exist.
fn guest(exists: bool) -> Guest {
    let mut config = toolgate::Config::default();
    config.path_scope.deny = vec![
        "**/.env".to_owned(),
        "**/.git/...".to_owned(),
        "./secrets/...".to_owned(),
    ];
    Guest::new(config, |base| {
        let inside = base.join("W");
        fs::create_dir_all(inside.join("dir")).unwrap();
        fs::write(inside.join("a.txt"), "needle").unwrap();
        fs::write(inside.join("dir/b.txt"), "needle").unwrap();
        for (link, target) in [("l_env", ".env"), ("l_git", ".git"), ("l_key", "secrets/key")] {
            std::os::unix::fs::symlink(target, inside.join(link)).unwrap();
        }
        if exists {
            for folder in ["W/.git", "W/dir/.git", "W/secrets/sub"] {
                fs::create_dir_all(base.join(folder)).unwrap();
            }
            for file in [
                "W/.env",
                "W/dir/.env",
                "W/.git/config",
                "W/dir/.git/config",
                "W/secrets/key",
            ] {
                fs::write(base.join(file), "needle").unwrap();
            }
        }
        same_times(&inside);
    })
}

/// A guest may see when its own directories changed.
fn same_times(inside: &Path) {
    let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for directory in [inside.to_owned(), inside.join("dir")] {
        fs::File::open(directory).unwrap().set_modified(time).unwrap();
    }
}

/// Every question about a path that a guest can ask without changing what may be seen.
fn questions(path: &str) -> Vec<Op> {
    let mut ops = Vec::new();
    for how in [
        "r", "rf", "", "f", "rd", "rdf", "w", "wf", "wt", "wtf", "wx", "wc", "wcf", "wcx", "wcxf", "cf", "tf",
    ] {
        ops.push(open(path, how));
    }
    for (name, how) in [
        ("stat_at", ""),
        ("stat_at", "f"),
        ("hash_at", ""),
        ("hash_at", "f"),
        ("set_times_at", ""),
        ("set_times_at", "f"),
    ] {
        ops.push(on(name, path).how(how));
    }
    for name in ["readlink", "mode_at", "mkdir", "rmdir", "unlink", "symlink"] {
        ops.push(on(name, path));
    }
    ops.extend([on("begin", path).named("r"), op("commit").at("r")]);
    for other in ["a.txt", "dir", "nowhere"] {
        ops.extend([rename(path, other), rename(other, path)]);
        ops.extend([
            on("link", path).to("0").new_path(other),
            on("link", other).to("0").new_path(path),
        ]);
    }
    ops
}

#[test]
fn f13_denied_looks_absent() {
    let paths = [
        ".env",
        "dir/.env",
        ".env/",
        ".env/x",
        ".env/../.env",
        ".git",
        ".git/",
        ".git/config",
        ".git/config/x",
        ".git/.",
        "dir/.git/config",
        "secrets",
        "secrets/key",
        "secrets/sub",
        "secrets/sub/x",
        "secrets/none",
        "dir/../secrets/key",
        "l_git/config",
    ];
    let mut ops: Vec<Op> = paths.iter().flat_map(|path| questions(path)).collect();
    // Through links, but not about the links themselves.
    for link in ["l_env", "l_git", "l_key"] {
        for how in ["rf", "f", "rdf", "wf", "wtf", "wcf", "wcxf"] {
            ops.push(open(link, how));
        }
        ops.extend([
            on("stat_at", link).how("f"),
            on("hash_at", link).how("f"),
            on("mode_at", link),
            on("readlink", link),
        ]);
    }
    // Where they lie.
    for directory in ["0", "d"] {
        ops.extend([
            open("dir", "rd").named("d"),
            op("list").at(directory),
            op("stat").at(directory),
        ]);
    }
    let (with, without) = (guest(true), guest(false));
    let outcomes = (with.run(&ops), without.run(&ops));
    for ((op, with), without) in ops.iter().zip(outcomes.0).zip(outcomes.1) {
        assert_eq!(with, without, "{op:?}");
    }
}

/// The one thing that cannot look the same: a directory that holds something hidden cannot be
/// removed. The answer is the one that any other remaining entry would give.
#[test]
fn f13_a_directory_with_something_hidden_stays() {
    let guest = guest(true);
    let outcomes = guest.run(&[on("unlink", "dir/b.txt"), on("rmdir", "dir")]);
    assert_eq!(outcomes, ["ok", "not-empty"]);
    assert!(guest.rig.inside().join("dir/.env").exists());
}

#[test]
fn f13_the_tools_do_not_tell_either() {
    let (with, without) = (guest(true), guest(false));
    let calls: Vec<(&str, Value)> = vec![
        ("list_dir", json!({"path": "."})),
        ("list_dir", json!({"path": "dir"})),
        ("list_dir", json!({"path": ".git"})),
        ("list_dir", json!({"path": "secrets"})),
        ("grep", json!({"pattern": "needle"})),
        ("grep", json!({"pattern": "needle", "path": ".git"})),
        ("grep", json!({"pattern": "needle", "path": ".env"})),
        ("stat", json!({"path": ".env"})),
        ("stat", json!({"path": "l_env"})),
        ("stat", json!({"path": "secrets/sub"})),
        ("read_file", json!({"path": ".env"})),
        ("read_file", json!({"path": "l_env"})),
        ("read_file", json!({"path": "secrets/key/x"})),
        ("read_file", json!({"path": "secrets/none"})),
        ("read_file", json!({"path": "dir/.git/config"})),
        ("write_file", json!({"path": ".env", "content": "x"})),
        ("write_file", json!({"path": "secrets/new", "content": "x"})),
    ];
    for (tool, arguments) in calls {
        let told = [&with, &without].map(|guest| {
            let inside = guest.rig.inside().display().to_string();
            let text = match guest.call(tool, arguments.clone()) {
                Ok(result) => Value::Object(result).to_string(),
                Err(error) => format!("{:?} {}", error.kind, error.message),
            };
            text.replace(&inside, "W")
        });
        assert_eq!(told[0], told[1], "{tool} {arguments}");
    }
}
