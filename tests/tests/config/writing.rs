//! Entries that are added to files: everything else stays, whatever happens meanwhile.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use toolgate::Config;
use toolgate::config::{Writer, Written};
use toolgate::scope::Access;

use crate::scratch::Scratch;

const RULE: &str = "write_file:src/*";

/// Adds a rule to a text of this name; the text afterwards.
fn appended(name: &str, before: &str) -> String {
    let scratch = Scratch::new();
    let path = scratch.write(name, before);
    assert_eq!(
        Writer::new(&path).append("permissions.allow", RULE).unwrap(),
        Written::Added
    );
    let after = fs::read_to_string(&path).unwrap();
    let config = Config::load(&path).unwrap();
    assert_eq!(config.permissions.allow.last().unwrap(), RULE, "{after}");
    // A second time there is nothing to do, and the file is not touched.
    let inode = fs::metadata(&path).unwrap().ino();
    assert_eq!(
        Writer::new(&path).append("permissions.allow", RULE).unwrap(),
        Written::Unchanged
    );
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    after
}

#[test]
fn only_the_list_gets_longer() {
    let rule = format!("{RULE:?}");
    let rows: &[(&str, &str, &str)] = &[
        ("c.toml", "", "[permissions]\nallow = [RULE]\n"),
        ("c.toml", "# mine\n", "# mine\n[permissions]\nallow = [RULE]\n"),
        (
            "c.toml",
            "[limits]\ncreates = 1\n# end\n",
            "[limits]\ncreates = 1\n# end\n\n[permissions]\nallow = [RULE]\n",
        ),
        (
            "c.toml",
            "[permissions]\n# why\nmode = 'plan' # really\n\n[limits]\ncreates = 1\n",
            "[permissions]\n# why\nmode = 'plan' # really\nallow = [RULE]\n\n[limits]\ncreates = 1\n",
        ),
        (
            "c.toml",
            "permissions.allow = ['a:*']\n",
            "permissions.allow = ['a:*', RULE]\n",
        ),
        (
            "c.toml",
            "permissions = { mode = 'ask', allow = ['a:*'] }\n",
            "permissions = { mode = 'ask', allow = ['a:*', RULE] }\n",
        ),
        (
            "c.toml",
            "[permissions]\nallow = [\n    'a:*', # first\n    # second\n    'b:*', # after\n    # end\n]\n",
            "[permissions]\nallow = [\n    'a:*', # first\n    # second\n    'b:*', # after\n    # end\n    RULE,\n]\n",
        ),
        (
            "c.toml",
            "[permissions]\nallow = [\n  'a:*' # last\n]\n",
            "[permissions]\nallow = [\n  'a:*', # last\n  RULE,\n]\n",
        ),
        ("c.json", "{}", "{\n  \"permissions\": {\"allow\":[RULE]}\n}"),
        (
            "c.json",
            "{\n\t\"zzz\": {\"a\": [1,  2]},\n\t\"permissions\": {\"mode\": \"plan\"}\n}\n",
            "{\n\t\"zzz\": {\"a\": [1,  2]},\n\t\"permissions\": {\"mode\": \"plan\", \"allow\": [RULE]}\n}\n",
        ),
        (
            "c.json",
            "{\"permissions\":{\"allow\":[]},\"model\":{\"k\":\"]}\\\"\"}}",
            "{\"permissions\":{\"allow\":[RULE]},\"model\":{\"k\":\"]}\\\"\"}}",
        ),
        (
            "c.json",
            "{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"a:[b]\",\r\n      \"b:*\"\r\n    ]\r\n  }\r\n}\r\n",
            "{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"a:[b]\",\r\n      \"b:*\",\r\n      RULE\r\n    ]\r\n  }\r\n}\r\n",
        ),
    ];
    for (name, before, after) in rows {
        assert_eq!(appended(name, before), after.replace("RULE", &rule), "{before}");
    }
}

#[test]
fn access_is_widened_and_never_narrowed() {
    let both = Access::READ_WRITE;
    for (name, before) in [
        (
            "c.toml",
            "[path_scope]\nallow_paths = [{ path = '/x', access = 'r' }] # note\n",
        ),
        (
            "c.toml",
            "[[path_scope.allow_paths]]\npath = '/x' # here\nmode = 'read'\n",
        ),
        (
            "c.toml",
            "[[path_scope.allow_paths]]\npath = '/x'\naccess = 'r'\nmode = 'r'\n",
        ),
        (
            "c.json",
            "{\"path_scope\": {\"allow_paths\": [{\"path\": \"/x\", \"access\": \"r\", \"mode\": \"R\"}]}}",
        ),
        (
            "c.json",
            "{\"path_scope\": {\"allow_paths\": [{\"mode\": \"r\", \"path\": \"/x\"}]}}",
        ),
    ] {
        let scratch = Scratch::new();
        let path = scratch.write(name, before);
        let writer = Writer::new(&path);
        assert_eq!(
            writer.allow_path("/x", Access::READ).unwrap(),
            Written::Unchanged,
            "{before}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        assert_eq!(writer.allow_path("/x", both).unwrap(), Written::Widened, "{before}");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.contains('#'), before.contains('#'), "comments stay: {text}");
        assert_eq!(writer.allow_path("/x", Access::READ).unwrap(), Written::Unchanged);
        assert_eq!(
            writer.allow_path("/y/...", Access::READ).unwrap(),
            Written::Added,
            "{text}"
        );
        let paths = Config::load(&path).unwrap().path_scope.allow_paths;
        let found: Vec<_> = paths
            .iter()
            .map(|entry| (entry.path.as_str(), entry.parsed_access().unwrap()))
            .collect();
        assert_eq!(found, [("/x", both), ("/y/...", Access::READ)], "{before}");
    }
}

#[test]
fn new_files_are_private_and_old_ones_keep_their_mode() {
    let scratch = Scratch::new();
    for name in ["new/deep/a.toml", "new/b.json"] {
        let path = scratch.path(name);
        Writer::new(&path).append("permissions.deny", "x:*").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let config = Config::load(&path).unwrap();
        assert_eq!((config.version, config.permissions.deny), (1, vec!["x:*".to_owned()]));
    }
    assert_eq!(fs::metadata(scratch.path("new")).unwrap().mode() & 0o777, 0o700);
    let path = scratch.write("old.toml", "");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    Writer::new(&path).append("permissions.allow", RULE).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
}

#[test]
fn links_stay_links() {
    let scratch = Scratch::new();
    let target = scratch.write("real/target.toml", "");
    let link = scratch.path("link.toml");
    symlink(&target, &link).unwrap();
    Writer::new(&link).append("permissions.allow", RULE).unwrap();
    assert!(link.is_symlink());
    assert_eq!(Config::load(&target).unwrap().permissions.allow, [RULE]);
    let dangling = scratch.path("dangling.toml");
    symlink(scratch.path("nowhere"), &dangling).unwrap();
    let error = Writer::new(&dangling).append("permissions.allow", RULE).unwrap_err();
    assert!(error.to_string().contains("does not exist"), "{error}");
}

#[test]
fn what_cannot_be_used_is_not_written() {
    let scratch = Scratch::new();
    let refused = |name: &str, before: &str, key: &str, entry: &str, expected: &str| {
        let path = scratch.write(name, before);
        let error = Writer::new(&path).append(key, entry).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(name), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(left.len(), 2, "only the file and the project's directory: {left:?}");
        fs::remove_file(path).unwrap();
    };
    refused("c.toml", "", "permissions.allow", "bash:[", "bash:[");
    refused("c.json", "{}", "permissions.allow", "", "empty");
    refused("c.toml", "[permissions\n", "permissions.allow", RULE, "left as it is");
    refused(
        "c.json",
        "{\"permissions\": []}",
        "permissions.allow",
        RULE,
        "left as it is",
    );
    refused("c.toml", "", "permissions.mode", "yolo", "no list");
    refused("c.toml", "", "path_scope.allow_paths", "/x", "no list");
    refused("c.toml", "", "nonsense.allow", "x", "no list");
    refused("c.yaml", "", "permissions.allow", RULE, ".toml or .json");
}

#[test]
fn two_writers_lose_nothing() {
    for name in ["c.toml", "c.json"] {
        let scratch = Scratch::new();
        let path = scratch.path(name);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..10 {
                        let rule = format!("t{writer}:{number}");
                        assert_eq!(
                            Writer::new(path).append("permissions.allow", &rule).unwrap(),
                            Written::Added
                        );
                    }
                });
            }
            // A reader never sees half a file.
            for _ in 0..50 {
                match Config::load(&path) {
                    Ok(_) => {}
                    Err(error) => assert!(!path.exists() || error.to_string().contains("No such file"), "{error}"),
                }
            }
        });
        assert_eq!(Config::load(&path).unwrap().permissions.allow.len(), 40);
    }
}

/// Names the file that the child below writes to.
const CHILD: &str = "TOOLGATE_TEST_WRITES_TO";

#[test]
#[ignore = "the child of a_killed_writer_leaves_a_whole_file"]
fn writes_until_it_is_killed() {
    let Some(file) = std::env::var_os(CHILD) else { return };
    for number in 0.. {
        Writer::new(Path::new(&file))
            .append("permissions.allow", &format!("t:{number}"))
            .unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_a_whole_file() {
    let scratch = Scratch::new();
    let path = scratch.write("c.toml", "# kept\n");
    let mut before = 0;
    for round in 0..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "writing::writes_until_it_is_killed"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let count = || Config::load(&path).unwrap().permissions.allow.len();
        let until = Instant::now() + Duration::from_secs(20);
        while count() <= before && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_micros(500 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let after = count();
        assert!(after > before, "the child wrote nothing");
        before = after;
        assert!(fs::read_to_string(&path).unwrap().starts_with("# kept\n"));
        // Neither its lock nor its leftovers are in the way.
        Writer::new(&path)
            .append("permissions.deny", &format!("d:{round}"))
            .unwrap();
    }
    assert_eq!(Config::load(&path).unwrap().permissions.deny.len(), 8);
    assert!(!scratch.path(".c.toml.new").exists());
}
