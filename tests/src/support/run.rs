//! Running the binary to its end.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use super::binary::command;

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as one JSON value on one line.
    ///
    /// # Panics
    /// When it is anything else.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "one line expected: {self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs the binary with closed standard input.
///
/// # Panics
/// When it cannot be started.
pub fn run(arguments: &[&str]) -> Run {
    run_with_input(arguments, "")
}

/// Runs the binary and feeds it `input`.
///
/// # Panics
/// When it cannot be started or its output is not UTF-8.
pub fn run_with_input(arguments: &[&str], input: &str) -> Run {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // A binary that ends without reading its input is a result, not an error.
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output().expect("the binary ends")
    });
    finished(output)
}

fn finished(output: Output) -> Run {
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}
