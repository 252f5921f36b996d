//! What is read, and what is refused before it is.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use toolgate::config::{Config, ConfigError, Layers, MAX_FILE_BYTES, agents_directory};

use crate::scratch::Scratch;

#[test]
fn only_regular_files_of_bounded_size_in_utf8() {
    let scratch = Scratch::new();
    let long = usize::try_from(MAX_FILE_BYTES).unwrap() + 1;
    let big = scratch.write("big.toml", vec![b'#'; long]);
    let binary = scratch.write("binary.toml", b"# \xff");
    let open = scratch.write("open.toml", "");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o666)).unwrap();
    let fifo = scratch.path("fifo.toml");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let cases: [(&Path, &str); 7] = [
        (&big, "1048576"),
        (&binary, "not UTF-8"),
        (&open, "everybody may write"),
        (&fifo, "not a regular file"),
        (&scratch.path("project"), "not a regular file"),
        (&scratch.path("none.toml"), "No such file"),
        (Path::new("/dev/zero"), "not a regular file"),
    ];
    for (path, expected) in cases {
        let error = Config::load(path).unwrap_err();
        assert!(matches!(error, ConfigError::Read { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains(expected) && text.contains(path.to_str().unwrap()),
            "{text}"
        );
        let mut options = scratch.options();
        options.config = vec![path.to_owned()];
        let error = Layers::discover(&options).unwrap_err().to_string();
        assert!(
            error.contains(expected) && error.contains(path.to_str().unwrap()),
            "{error}"
        );
    }
}

#[test]
fn the_nearest_directory_wins_if_it_is_ours() {
    let scratch = Scratch::new();
    let deep = scratch.path("project/a/b");
    fs::create_dir_all(&deep).unwrap();
    let found = |root: &Path| agents_directory(root);
    assert_eq!(found(&deep).unwrap(), Some(scratch.path("project/.agents")));
    scratch.write("project/a/.agents", "a file by that name");
    assert_eq!(found(&deep).unwrap(), Some(scratch.path("project/.agents")));
    symlink(scratch.path("nowhere"), scratch.path("project/a/b/.agents")).unwrap();
    assert_eq!(found(&deep).unwrap(), Some(scratch.path("project/.agents")));
    fs::set_permissions(scratch.path("project/.agents"), fs::Permissions::from_mode(0o777)).unwrap();
    let problem = found(&deep).unwrap_err().to_string();
    assert!(
        problem.contains("everybody may write") && problem.contains(".agents"),
        "{problem}"
    );
    assert!(found(&scratch.path("missing")).is_err());
}

#[test]
fn what_has_or_would_have_a_say_is_our_own() {
    let scratch = Scratch::new();
    scratch.write("project/.agents/config.json", "{}");
    let own = scratch.load().unwrap().own_files;
    for name in [
        "user.toml",
        "state/trust.json",
        "project/.agents/config.json",
        "project/.agents/toolgate.toml",
    ] {
        assert!(own.contains(&scratch.path(name)), "{name} is missing from {own:?}");
    }
}

#[test]
fn a_manifest_names_what_must_be_set() {
    let scratch = Scratch::new();
    let problems = || match scratch.load() {
        Ok(_) => Vec::new(),
        Err(errors) => errors.problems().iter().map(ToString::to_string).collect::<Vec<_>>(),
    };
    let yaml = "version: 1\nenv:\n  - name: PATH\n    required: true\n  - name: TOOLGATE_TEST_ONE\n    required: true\n    \
                description: >\n      the token\n      of x\n  - name: TOOLGATE_TEST_TWO\n    required: true\n    default: d\n  \
                - name: TOOLGATE_TEST_THREE\n    sensitive: true\n  - {name: TOOLGATE_TEST_FOUR, required: true}\n";
    let path = scratch.write("project/.agents/env.yaml", yaml);
    let found = problems();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].contains("env.yaml: TOOLGATE_TEST_ONE") && found[0].contains("the token of x"),
        "{found:?}"
    );
    assert!(found[1].contains("TOOLGATE_TEST_FOUR"), "{found:?}");

    scratch.write("project/.agents/env.json", "{}");
    assert!(problems()[0].contains("keep one"), "{:?}", problems());
    fs::remove_file(&path).unwrap();
    assert!(problems().is_empty());
    for (text, expected) in [
        (
            r#"{"env": [{"name": "TOOLGATE_TEST_ONE", "required": true}]}"#,
            "TOOLGATE_TEST_ONE",
        ),
        (r#"{"version": 2}"#, "version 2"),
        (r#"{"env": [{"name": "1A"}]}"#, "no name"),
        (r#"{"env": [{"name": "A"}, {"name": "A"}]}"#, "twice"),
        (r#"{"env": [{"required": true}]}"#, "no name"),
        (r#"{"env": 1}"#, "env.json"),
        ("", "env.json"),
    ] {
        scratch.write("project/.agents/env.json", text);
        let found = problems();
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
    }
    // A named configuration does without the project's files.
    let mut options = scratch.options();
    options.config = vec![scratch.write("c.toml", "")];
    assert!(Layers::discover(&options).is_ok());
}
