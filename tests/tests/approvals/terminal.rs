//! `toolgate approvals watch` on a pseudo-terminal.

use toolgate_tests::support::mcp_client;

use crate::stage::Stage;

#[test]
fn watching_asks_on_the_terminal() {
    let stage = Stage::new();
    let run = mcp_client("watch.py", &[stage.state().to_str().expect("UTF-8")]);
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.trim_end().ends_with(" passed, 0 failed"), "{}", run.stdout);
}
