//! The threat rows of the file system: a hostile guest against the sandbox, while the gate lets everything in scope pass.
//! Run by `cargo test`; each test carries the id of its row. `TOOLGATE_SOAK` makes the long ones ten times longer.
//! Must not touch: anything outside temporary trees; what needs root or a tool that is not there says so and passes.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod absurd;
mod concurrent;
mod crash;
mod escape;
mod folding;
mod full;
mod hidden;
mod imports;
mod links;
mod mandatory;
mod modes;
mod mounts;
mod moves;
mod names;
mod oracle;
mod pins;
mod planting;
mod probe;
mod quota;
mod races;
mod readonly;
mod shape;
mod slashes;
mod special;
mod traps;
mod tree;

/// How much longer the long tests run.
fn soak() -> u64 {
    if std::env::var_os("TOOLGATE_SOAK").is_some() {
        10
    } else {
        1
    }
}

/// How long a race is run until its window is hit. On a busy machine the other side may not get
/// its turn for a while.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Says that a part of a row was not tested here. Not by a macro: those are captured.
fn left_out(what: &str, why: &str) {
    use std::io::Write;
    let text = format!("note: {what}: left out, since {why}\n");
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}

/// Whether the test runs as root; says what is left out if not.
fn root_for(what: &str) -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        left_out(what, "this is not root");
    }
    root
}

/// `strace` of a program and its threads, in the surroundings of the binary under test.
fn traced() -> std::process::Command {
    let mut strace = std::process::Command::new("strace");
    for (name, value) in toolgate_tests::support::command().get_envs() {
        match value {
            Some(value) => strace.env(name, value),
            None => strace.env_remove(name),
        };
    }
    strace.args(["-f", "-qq"]);
    strace
}

/// Whether a program is installed; says what is left out if not.
fn program_for(program: &str, what: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if !found {
        left_out(what, &format!("{program} is not installed"));
    }
    found
}
