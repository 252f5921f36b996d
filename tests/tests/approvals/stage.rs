//! A state directory of its own, so that no other test's questions are met.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgate_tests::support::{Rpc, Run, Server, Tree, command, share_cache_key};

/// How long to wait for something that must happen. Generous: components may
/// have to be compiled first.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A tree to work on, and the state directory of the servers for it.
pub(crate) struct Stage {
    pub(crate) tree: Tree,
    state: TempDir,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let state = tempfile::tempdir().expect("a temporary directory");
        share_cache_key(state.path());
        Self {
            tree: Tree::new(&[("a.txt", "one\n"), (".agents/notes.md", "")]),
            state,
        }
    }

    pub(crate) fn root(&self) -> &str {
        self.tree.text()
    }

    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }

    pub(crate) fn environment(&self) -> [(&'static str, &OsStr); 1] {
        [("XDG_STATE_HOME", self.state.path().as_os_str())]
    }

    /// A server over stdio, without a session yet.
    pub(crate) fn stdio(&self, options: &[&str]) -> Rpc {
        Rpc::start_with(&self.environment(), self.root(), options)
    }

    /// A server over stdio for a client that cannot ask its user.
    pub(crate) fn session(&self, options: &[&str]) -> Rpc {
        let mut rpc = self.stdio(options);
        rpc.initialise();
        rpc
    }

    pub(crate) fn http(&self, options: &[&str]) -> Server {
        let arguments = [&["--http", "127.0.0.1:0"], options].concat();
        Server::start_in(&self.environment(), self.root(), &arguments)
    }

    /// `toolgate` with these arguments, to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let output = command()
            .envs(self.environment())
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("the binary starts");
        Run {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// `toolgate call` in the background.
    pub(crate) fn call(&self, options: &[&str], tool: &str, arguments: &Value) -> Child {
        command()
            .envs(self.environment())
            .args(["call", "--root", self.root()])
            .args(options)
            .args([tool, &arguments.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary starts")
    }

    pub(crate) fn sockets(&self) -> Vec<PathBuf> {
        let folder = self.state.path().join("toolgate/approvals");
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Vec::new();
        };
        let paths = entries.map(|entry| entry.expect("an entry").path());
        // Another name means that it does not accept connections yet.
        paths
            .filter(|path| path.extension() == Some(OsStr::new("sock")))
            .collect()
    }

    /// A connection to the one running server.
    pub(crate) fn connect(&self) -> Socket {
        let sockets = until("a socket", || Some(self.sockets()).filter(|sockets| sockets.len() == 1));
        Socket::connect(&sockets[0])
    }

    /// Waits until `toolgate approvals` lists so many questions.
    pub(crate) fn pending(&self, count: usize) -> Vec<Value> {
        until("the questions", || {
            let listed = self.run(&["approvals"]);
            assert_eq!(listed.status, Some(0), "{listed:?}");
            let pending: Vec<Value> = listed
                .stdout
                .lines()
                .map(|line| serde_json::from_str(line).expect("a line of JSON"))
                .collect();
            Some(pending).filter(|pending| pending.len() == count)
        })
    }

    pub(crate) fn answer(&self, id: &Value, decision: &str) -> Run {
        self.run(&["approvals", "answer", id.as_str().expect("an id"), decision])
    }
}

/// Waits for something.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{what}: not within {PATIENCE:?}");
}

/// The standard output of a finished `toolgate call`, and its exit status.
pub(crate) fn finish(child: Child) -> (Option<i32>, Value) {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    (output.status.code(), value)
}

/// A raw client of the approval socket.
pub(crate) struct Socket(BufReader<UnixStream>);

impl Socket {
    pub(crate) fn connect(path: &Path) -> Self {
        let stream = UnixStream::connect(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        Self(BufReader::new(stream))
    }

    pub(crate) fn send(&mut self, request: &Value) {
        let line = format!("{request}\n");
        self.0.get_mut().write_all(line.as_bytes()).expect("the server reads");
    }

    pub(crate) fn line(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Watches from now on.
    pub(crate) fn watch(&mut self) {
        self.send(&json!({"request": "watch"}));
        assert_eq!(self.line(), json!({"reply": "watching"}));
    }

    /// The next question that is told.
    pub(crate) fn prompt(&mut self) -> Value {
        let event = self.line();
        assert_eq!(event["event"], "prompt", "{event}");
        event
    }

    /// Answers and waits for the reply; events in between are dropped.
    pub(crate) fn answer(&mut self, id: &Value, decision: &str) -> Value {
        self.send(&json!({"request": "answer", "id": id, "decision": decision}));
        loop {
            let line = self.line();
            if line.get("reply").is_some() {
                return line;
            }
        }
    }

    /// Waits for the end of a question; the reason.
    pub(crate) fn end_of(&mut self, id: &Value) -> Value {
        loop {
            let line = self.line();
            if line["event"] == "withdrawn" && line["id"] == *id {
                return line["reason"].clone();
            }
        }
    }
}

/// A call that needs an approval.
pub(crate) fn write(name: &str) -> Value {
    json!({"name": "write_file", "arguments": {"path": name, "content": "x"}})
}

/// The outcome of a call: whether it failed, and the text.
pub(crate) fn outcome(answer: &Value) -> (bool, String) {
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    (result["isError"] == true, text.to_owned())
}
