//! A raw JSON-RPC client over stdio, for frames that no SDK would send.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::binary::command;

/// How long to wait for an answer. Generous: the first start may compile tools.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running `toolgate serve --stdio`.
pub struct Rpc {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: i64,
}

impl Rpc {
    /// Starts the server for `root` with further options; says nothing yet.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(root: &str, options: &[&str]) -> Self {
        Self::start_with(&[], root, options)
    }

    /// The same with further variables in the server's environment.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start_with(environment: &[(&str, &OsStr)], root: &str, options: &[&str]) -> Self {
        let mut child = command()
            .envs(environment.iter().copied())
            .args(["serve", "--stdio", "--root", root])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            next_id: 0,
        }
    }

    /// Starts the server and opens a session of the 2025 protocol.
    ///
    /// # Panics
    /// When the server does not answer properly.
    pub fn initialised(root: &str, options: &[&str]) -> Self {
        let mut rpc = Self::start(root, options);
        rpc.initialise();
        rpc
    }

    /// Opens a session of the 2025 protocol.
    ///
    /// # Panics
    /// When the server does not answer properly.
    pub fn initialise(&mut self) {
        let answer = self.request("initialize", initialize_params());
        assert_eq!(answer["result"]["serverInfo"]["name"], "toolgate", "{answer}");
        self.notify("notifications/initialized", json!({}));
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    ///
    /// # Panics
    /// When the server does not take them.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the channel is open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the server reads its input");
    }

    /// Sends one message as a line.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its id without waiting.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}));
        self.next_id
    }

    /// Sends a request and waits for its answer; answers to others are dropped.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(&json!(id))
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Waits for the answer with this id.
    ///
    /// # Panics
    /// When it does not come.
    pub fn answer(&mut self, id: &Value) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let message = self
                .receive(deadline.saturating_duration_since(Instant::now()))
                .unwrap_or_else(|| panic!("no answer to request {id}"));
            if message["id"] == *id {
                return message;
            }
        }
    }

    /// The next message, or `None` when none comes in time or the server is gone.
    ///
    /// # Panics
    /// When the server writes anything that is not a JSON-RPC message.
    pub fn receive(&mut self, patience: Duration) -> Option<Value> {
        let line = match self.lines.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("stray output {line:?}: {error}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        Some(message)
    }

    /// Closes the server's input; its answers can still be received.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Closes the server's input and waits for its end; returns its exit status.
    ///
    /// # Panics
    /// When it does not end within ten seconds.
    pub fn close(mut self) -> Option<i32> {
        self.close_input();
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server goes on after its client has closed the channel");
    }
}

impl Drop for Rpc {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The parameters of `initialize` for the 2025 protocol.
pub(super) fn initialize_params() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "toolgate-tests", "version": "1"},
    })
}
