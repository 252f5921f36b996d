//! Real clients, through the official Python SDK.

use toolgate_tests::rig::guest;
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
    let probe = guest("probe");
    let probe = probe.to_str().expect("a UTF-8 path");
    let run = mcp_client("client.py", &["--probe", probe]);
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
