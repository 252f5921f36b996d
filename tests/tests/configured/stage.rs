//! A project, and a user with directories of their own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use toolgate_tests::support::{Run, Tree, command, share_cache_key};

/// `project` is the working directory of every run.
pub(crate) struct Stage {
    pub(crate) tree: Tree,
}

impl Stage {
    /// Files by path below the stage: `project/…`, and `config/toolgate/config.toml` for the user's own.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Tree::new(files);
        std::fs::create_dir_all(tree.root().join("project")).unwrap();
        share_cache_key(&tree.root().join("state"));
        Self { tree }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.tree.root().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// The variables that make the user's directories those of this stage; what is compiled is shared.
    pub(crate) fn environment(&self) -> [(&'static str, PathBuf); 2] {
        [
            ("XDG_CONFIG_HOME", self.path("config")),
            ("XDG_STATE_HOME", self.path("state")),
        ]
    }

    pub(crate) fn command(&self, directory: &str, arguments: &[&str]) -> Command {
        let mut command = command();
        command
            .current_dir(self.path(directory))
            .envs(self.environment())
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run_in(&self, directory: &str, arguments: &[&str]) -> Run {
        let output = self.command(directory, arguments).output().unwrap();
        Run {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_in("project", arguments)
    }

    /// One key of the configuration in force.
    pub(crate) fn effective(&self, arguments: &[&str], pointer: &str) -> Value {
        let done = self.run(&[&["--print-config=json"], arguments].concat());
        assert_eq!(done.status, Some(0), "{done:?}");
        let config: Value = serde_json::from_str(&done.stdout).unwrap();
        config.pointer(pointer).cloned().unwrap_or_default()
    }

    /// Whether a file may be written with these options.
    pub(crate) fn can_write(&self, options: &[&str], path: &str) -> bool {
        let arguments = json!({"path": path, "content": "x"}).to_string();
        let done = self.run(&[options, &["call", "write_file", &arguments]].concat());
        match done.status {
            Some(0) => true,
            Some(1) => {
                assert_eq!(done.json()["kind"], "denied", "{done:?}");
                false
            }
            _ => panic!("{done:?}"),
        }
    }

    /// The error of a start that must fail.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        assert_eq!(
            (done.status, done.stdout.as_str()),
            (Some(2), ""),
            "{arguments:?}: {done:?}"
        );
        done.stderr
    }

    pub(crate) fn tools(&self, options: &[&str]) -> Vec<String> {
        let done = self.run(&[options, &["tools", "--json"]].concat());
        assert_eq!(done.status, Some(0), "{done:?}");
        let tools = done.json();
        let names = tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect()
    }
}
