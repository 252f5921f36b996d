//! What a program finds around it when it starts.

use std::io::Read;

use serde_json::{Value, json};

/// Everything that could carry something of the host.
pub(crate) fn describe() -> Value {
    let mut input = Vec::new();
    let read = std::io::stdin()
        .read_to_end(&mut input)
        .map_err(|error| error.to_string());
    let root = std::fs::read_dir("/")
        .map(|entries| entries.count())
        .map_err(|error| error.kind().to_string());
    json!({
        "variables": std::env::vars_os().count(),
        "arguments": std::env::args_os().count(),
        "input": format!("{read:?}"),
        "root": format!("{root:?}"),
        "threads": std::thread::Builder::new().spawn(|| ()).is_ok(),
        "children": std::process::Command::new("/bin/sh").spawn().is_ok(),
    })
}
