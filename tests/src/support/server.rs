//! A running HTTP server.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::binary::command;
use super::http::{HttpReply, post};
use super::rpc::initialize_params;

/// How long the server may take to start. The first start may compile tools.
const START: Duration = Duration::from_secs(120);

/// A running `toolgate serve` over HTTP; killed at the end of the test.
pub struct Server {
    child: Child,
    address: SocketAddr,
    greeting: String,
    lines: Mutex<Receiver<String>>,
}

impl Server {
    /// Serves `root` on a free port.
    pub fn start(root: &str, options: &[&str]) -> Self {
        let arguments = [&["--http", "127.0.0.1:0"], options].concat();
        Self::start_with(root, &arguments)
    }

    /// Serves `root` with exactly these options.
    ///
    /// # Panics
    /// When the server does not come up.
    pub fn start_with(root: &str, options: &[&str]) -> Self {
        Self::start_in(&[], root, options)
    }

    /// The same with further variables in its environment.
    ///
    /// # Panics
    /// When the server does not come up.
    pub fn start_in(environment: &[(&str, &OsStr)], root: &str, options: &[&str]) -> Self {
        let mut child = command()
            .envs(environment.iter().copied())
            .args(["serve", "--root", root])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                // Go on reading even if nobody listens any more, so that the
                // server is not blocked by a full pipe.
                let _ = sender.send(line);
            }
        });
        let mut greeting = String::new();
        while !greeting.contains("Ctrl-C stops") {
            match lines.recv_timeout(START) {
                Ok(line) => greeting.extend([line.as_str(), "\n"]),
                Err(error) => {
                    let _ = child.kill();
                    panic!("the server did not come up ({error}): {greeting}");
                }
            }
        }
        let address = greeting
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .and_then(|address| address.parse().ok())
            .unwrap_or_else(|| panic!("no address in {greeting:?}"));
        Self {
            child,
            address,
            greeting,
            lines: Mutex::new(lines),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it printed at its start.
    pub fn greeting(&self) -> &str {
        &self.greeting
    }

    /// The next line of its standard error after the greeting, if it comes in time.
    ///
    /// # Panics
    /// When another thread panicked while it waited.
    pub fn next_line(&self, patience: Duration) -> Option<String> {
        self.lines.lock().expect("no other thread").recv_timeout(patience).ok()
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end, for ten seconds; whether it came.
    ///
    /// # Panics
    /// When the process is not this test's.
    pub fn ended(&mut self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if self.child.try_wait().expect("the child is ours").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }

    /// Opens a session of the 2025 protocol.
    pub fn open_session(&self) -> HttpReply {
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize_params()});
        post(self.address, &[], &message.to_string())
    }

    /// Sends one request of the 2026 protocol, which needs no session.
    pub fn request(&self, method: &str, params: Value) -> HttpReply {
        self.request_with(&[], method, params)
    }

    /// The same with further headers.
    pub fn request_with(&self, headers: &[(&str, &str)], method: &str, mut params: Value) -> HttpReply {
        params["_meta"] = meta();
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let protocol = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
            ("Mcp-Name", &name),
        ];
        let headers = [&protocol, headers].concat();
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        post(self.address, &headers, &message.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What every request of the 2026 protocol says about its client.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "toolgate-tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
