//! Real clients, through the official Python SDK.

use std::path::Path;

use toolgate_tests::support::mcp_client;

#[test]
fn the_python_sdk_can_use_every_tool() {
    let run = mcp_client("client.py", &[]);
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.trim_end().ends_with(" passed, 0 failed"), "{}", run.stdout);
}

/// Row M05: on every transport and with both protocols, a call that its client
/// gives up stops using the processor within a second.
#[test]
fn m05_cancelling_a_call_stops_the_guest() {
    let spin = Path::new(env!("CARGO_MANIFEST_DIR")).join("guests/target/wasm32-unknown-unknown/release/spin.wasm");
    assert!(spin.is_file(), "{} does not exist; run `make build`", spin.display());
    let spin = spin.to_str().expect("a UTF-8 path");
    let run = mcp_client("client.py", &["--spin-plugin", spin]);
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.trim_end().ends_with(" passed, 0 failed"), "{}", run.stdout);
}

/// The operator is asked on the terminal, and the answer decides.
#[test]
fn the_terminal_prompt_decides() {
    let run = mcp_client("prompt.py", &[]);
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.trim_end().ends_with(" passed, 0 failed"), "{}", run.stdout);
}
