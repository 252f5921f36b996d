//! A user's home with a filled cache, and calls of the binary in it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;
use toolgate_tests::support::toolgate;

/// Words of the one line that a damaged cache is worth.
const WARNING: &str = "a cache file is ignored";

/// A home with a filled cache, and the file in it that `stat` runs from.
pub(crate) struct Home {
    pub(crate) folder: TempDir,
    pub(crate) code: PathBuf,
}

/// How one call of `stat` went.
pub(crate) struct Outcome {
    pub(crate) succeeded: bool,
    pub(crate) warnings: usize,
    pub(crate) text: String,
}

impl Home {
    /// A copy of one that was filled once: compiling takes long.
    pub(crate) fn new() -> Self {
        static FILLED: LazyLock<Home> = LazyLock::new(Home::fill);
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let copied = Command::new("cp")
            .arg("-a")
            .args(["cache", "state"].map(|part| FILLED.folder.path().join(part)))
            .arg(folder.path())
            .status()
            .unwrap();
        assert!(copied.success());
        let home = Self {
            code: folder
                .path()
                .join(FILLED.code.strip_prefix(FILLED.folder.path()).unwrap()),
            folder,
        };
        home.call().unwrap();
        home
    }

    fn fill() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let mut home = Self {
            code: PathBuf::new(),
            folder,
        };
        // A call compiles what it needs, and nothing else.
        home.call().unwrap();
        let codes = home.codes();
        assert_eq!(codes.len(), 1, "{codes:?}");
        home.code.clone_from(&codes[0]);
        // Code of another component, to mistake for it.
        assert!(home.run("list_dir").status.success());
        home.call().unwrap();
        home
    }

    /// The files of compiled code.
    pub(crate) fn codes(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache()).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        files
            .filter(|file| file.extension().is_some_and(|kind| kind == "code"))
            .collect()
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache/toolgate")
    }

    pub(crate) fn environment(&self, command: &mut Command) {
        let base = self.folder.path();
        command
            .env("HOME", base)
            .env("XDG_CONFIG_HOME", base.join("config"))
            .env("XDG_CACHE_HOME", base.join("cache"))
            .env("XDG_STATE_HOME", base.join("state"))
            .env_remove("TOOLGATE_LOG");
    }

    fn run(&self, tool: &str) -> Output {
        let mut command = Command::new(toolgate());
        self.environment(&mut command);
        command
            .args(["call", tool, r#"{"path": "."}"#, "--root"])
            .arg(self.folder.path().join("root"))
            .output()
            .unwrap()
    }

    pub(crate) fn stat(&self) -> Outcome {
        let output = self.run("stat");
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Outcome {
            succeeded: output.status.success() && text.contains(r#""is_dir":true"#),
            warnings: text.matches(WARNING).count(),
            text,
        }
    }

    /// A call with nothing to complain about.
    pub(crate) fn call(&self) -> Result<(), String> {
        let outcome = self.stat();
        if outcome.succeeded && outcome.warnings == 0 {
            Ok(())
        } else {
            Err(outcome.text)
        }
    }

    /// After damage: the call works, says one line, and leaves a sound file behind.
    pub(crate) fn heals(&self, damage: &str) {
        let damaged = fs::symlink_metadata(&self.code).unwrap().ino();
        let outcome = self.stat();
        assert!(outcome.succeeded, "{damage}: {}", outcome.text);
        assert_eq!(outcome.warnings, 1, "{damage}: {}", outcome.text);
        let now = fs::symlink_metadata(&self.code).unwrap();
        assert!(now.ino() != damaged && now.is_file(), "{damage}: not made anew");
        self.call().unwrap_or_else(|text| panic!("after {damage}: {text}"));
    }
}
