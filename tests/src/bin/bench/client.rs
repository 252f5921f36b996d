//! A JSON-RPC client over stdio that costs as little as possible: no threads, one read per answer.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::{Outcome, places};

/// A running `toolgate serve --stdio` with an open session; killed when dropped.
pub(crate) struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
}

impl Client {
    /// Serves `root`, by default or with this configuration file.
    pub(crate) fn start(root: &Path, config: Option<&Path>) -> Outcome<Self> {
        let mut child = Command::new(places::binary()?)
            .args(["serve", "--stdio", "--root"])
            .arg(root)
            .args(config.iter().flat_map(|file| [Path::new("--config"), file]))
            .env_clear()
            .env("HOME", places::home()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take().ok_or("the server has no input")?;
        let stdout = child.stdout.take().ok_or("the server has no output")?;
        let mut client = Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            next_id: 0,
        };
        let parameters = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "toolgate-bench", "version": "1"},
        });
        client.send("initialize", &parameters)?;
        client.receive()?;
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// Calls a tool and waits for its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Value> {
        self.begin(tool, arguments)?;
        self.receive()
    }

    /// Calls a tool without waiting.
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> Outcome<()> {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The next answer, which must be a success.
    pub(crate) fn receive(&mut self) -> Outcome<Value> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err("the server closed its output".into());
        }
        let message: Value = serde_json::from_str(&line)?;
        if message.get("result").is_none() || message["result"]["isError"] == true {
            return Err(format!("the server answered {line}").into());
        }
        Ok(message)
    }

    /// Memory of the server in MiB: the field of `/proc/PID/status`, such as `VmRSS` or `VmHWM`.
    pub(crate) fn memory_mib(&self, field: &str) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kib: u32 = line
            .and_then(|line| line.trim().strip_suffix(" kB"))
            .ok_or_else(|| format!("the kernel gives no {field}"))?
            .parse()?;
        Ok(f64::from(kib) / 1024.0)
    }

    fn send(&mut self, method: &str, parameters: &Value) -> Outcome<()> {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))
    }

    fn write(&mut self, message: &Value) -> Outcome<()> {
        Ok(self.stdin.write_all(format!("{message}\n").as_bytes())?)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
