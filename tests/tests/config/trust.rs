//! Trust in project files.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use toolgate::Mode;

use crate::scratch::Scratch;

const FILE: &str = "project/.agents/toolgate.toml";
const YOLO: &str = "[permissions]\nmode = 'yolo'\n";

fn mode(scratch: &Scratch) -> Mode {
    scratch.load().unwrap().config.permissions.mode
}

#[test]
fn an_edit_ends_it() {
    let scratch = Scratch::new();
    let path = scratch.write(FILE, YOLO);
    let file = scratch.last();
    assert!(!file.trusted && file.passed_over.len() == 1, "{file:?}");
    assert_eq!(mode(&scratch), Mode::Ask);
    scratch.store().trust(&path, file.digest).unwrap();
    assert_eq!(mode(&scratch), Mode::Yolo);
    assert!(scratch.last().trusted);

    scratch.write(FILE, format!("{YOLO}allow = ['*:*']\n"));
    assert_eq!(mode(&scratch), Mode::Ask);
    // The bytes count, not the time.
    scratch.write(FILE, YOLO);
    assert_eq!(mode(&scratch), Mode::Yolo);

    assert!(scratch.store().revoke(&path).unwrap());
    assert_eq!(mode(&scratch), Mode::Ask);
    assert!(!scratch.store().revoke(&path).unwrap());

    // By any name of its directory, and when it is gone.
    scratch.store().trust(&path, scratch.last().digest).unwrap();
    fs::remove_file(&path).unwrap();
    let roundabout = scratch.path("project/.agents/../../project/.agents/toolgate.toml");
    assert!(scratch.store().revoke(&roundabout).unwrap());
    assert!(scratch.store().entries().is_empty());
}

#[test]
fn what_was_shown_is_trusted_and_nothing_else() {
    let scratch = Scratch::new();
    let path = scratch.write(FILE, "");
    let shown = scratch.last().digest;
    scratch.write(FILE, YOLO);
    let error = scratch.store().trust(&path, shown).unwrap_err().to_string();
    assert!(error.contains("changed"), "{error}");
    assert_eq!(mode(&scratch), Mode::Ask);
}

#[test]
fn it_holds_for_one_path() {
    let scratch = Scratch::new();
    let path = scratch.write(FILE, YOLO);
    scratch.store().trust(&path, scratch.last().digest).unwrap();
    fs::rename(scratch.path("project"), scratch.path("other")).unwrap();
    fs::create_dir(scratch.path("project")).unwrap();
    fs::rename(scratch.path("other/.agents"), scratch.path("project/.agents")).unwrap();
    assert_eq!(mode(&scratch), Mode::Yolo, "the same path and bytes");
    fs::create_dir_all(scratch.path("project/sub/.agents")).unwrap();
    fs::copy(&path, scratch.path("project/sub/.agents/toolgate.toml")).unwrap();
    let mut options = scratch.options();
    options.root = scratch.path("project/sub");
    let elsewhere = toolgate::config::Layers::discover(&options).unwrap();
    assert_eq!(elsewhere.config.permissions.mode, Mode::Ask);
    // A link leads to the file that was trusted.
    fs::remove_file(scratch.path("project/sub/.agents/toolgate.toml")).unwrap();
    std::os::unix::fs::symlink(&path, scratch.path("project/sub/.agents/toolgate.toml")).unwrap();
    let linked = toolgate::config::Layers::discover(&options).unwrap();
    assert_eq!(linked.config.permissions.mode, Mode::Yolo);
}

#[test]
fn a_store_that_others_could_write_trusts_nothing() {
    let scratch = Scratch::new();
    let path = scratch.write(FILE, YOLO);
    scratch.store().trust(&path, scratch.last().digest).unwrap();
    let store = scratch.path("state/trust.json");
    assert_eq!(fs::metadata(&store).unwrap().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(scratch.path("state")).unwrap().mode() & 0o777, 0o700);

    fs::set_permissions(&store, fs::Permissions::from_mode(0o666)).unwrap();
    let loaded = scratch.load().unwrap();
    assert_eq!(loaded.config.permissions.mode, Mode::Ask);
    assert!(
        loaded.remarks[0].to_string().contains("mode 600"),
        "{:?}",
        loaded.remarks
    );
    assert!(
        scratch.store().trust(&path, scratch.last().digest).is_err(),
        "it is not overwritten either"
    );

    fs::set_permissions(&store, fs::Permissions::from_mode(0o600)).unwrap();
    for broken in [
        "",
        "{",
        "null",
        r#"{"version":2,"trusted":[]}"#,
        r#"{"version":1,"trusted":[{"path":"/x","digest":"zz","since":0}]}"#,
    ] {
        fs::write(&store, broken).unwrap();
        let loaded = scratch.load().unwrap();
        assert_eq!(loaded.config.permissions.mode, Mode::Ask, "{broken}");
        assert!(loaded.remarks[0].to_string().contains("nothing is trusted"), "{broken}");
    }
}

#[test]
fn many_at_once_lose_nothing() {
    let scratch = Scratch::new();
    let files: Vec<_> = (0..16)
        .map(|number| scratch.write(&format!("p{number}/.agents/toolgate.toml"), YOLO))
        .collect();
    let digest = {
        scratch.write(FILE, YOLO);
        scratch.last().digest
    };
    std::thread::scope(|scope| {
        for file in &files {
            scope.spawn(|| scratch.store().trust(file, digest).unwrap());
        }
    });
    assert_eq!(scratch.store().entries().len(), files.len());
}
