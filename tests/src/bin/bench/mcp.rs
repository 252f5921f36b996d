//! A call over MCP: from the client's request to its answer, on stdin and stdout.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

use crate::client::Client;
use crate::report::Row;
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

const ROUNDS: usize = 10_000;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("file.txt"), "text\n")?;
    let mut client = Client::start(directory.path(), None)?;
    let arguments = json!({"path": "file.txt"});
    let mut durations = Vec::with_capacity(ROUNDS);
    for round in 0..ROUNDS + ROUNDS / 10 {
        let started = Instant::now();
        client.call("stat", &arguments)?;
        if round >= ROUNDS / 10 {
            durations.push(started.elapsed());
        }
    }
    let ours = Samples::new(durations);
    let peer = echo()?;
    Ok(vec![
        Row::new(
            "stat over MCP, stdio round trip; peer: a line through `cat`",
            ours.p50_and_p99(),
        )
        .peer(peer.p50_and_p99(), ratio(ours.median(), peer.median())),
    ])
}

/// What two pipes and two context switches cost without any server.
fn echo() -> Outcome<Samples> {
    let mut child = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("cat has no input")?;
    let mut stdout = child.stdout.take().ok_or("cat has no output")?;
    let mut durations = Vec::with_capacity(ROUNDS);
    let line = [b'x'; 128];
    let mut answer = [0; 128];
    for _ in 0..ROUNDS {
        let started = Instant::now();
        stdin.write_all(&line)?;
        stdout.read_exact(&mut answer)?;
        durations.push(started.elapsed());
    }
    drop(stdin);
    child.wait()?;
    Ok(Samples::new(durations))
}
