//! A process that starts, makes one call and ends.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::report::{Row, Target};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared, places};

const ROUNDS: usize = 100;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("file.txt"), "text\n")?;
    let mut toolgate = Command::new(places::binary()?);
    toolgate
        .args(["call", "stat", r#"{"path": "file.txt"}"#])
        .current_dir(directory.path())
        .env_clear()
        .env("HOME", places::home()?);
    let mut nothing = Command::new("true");
    // The first runs may compile, and read the binary from disk.
    for _ in 0..5 {
        run(&mut toolgate)?;
        run(&mut nothing)?;
    }
    let (mut ours, mut peer) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(run(&mut toolgate)?);
        peer.push(run(&mut nothing)?);
    }
    let (ours, peer) = (Samples::new(ours), Samples::new(peer));
    let figure = ours.median().as_secs_f64() * 1e3;
    Ok(vec![
        Row::new("toolgate call stat, cold process; peer `true`", ours.p50_and_p99())
            .peer(peer.p50_and_p99(), ratio(ours.median(), peer.median()))
            .target(figure, Target::AtMost(15.0, 30.0, " ms p50")),
    ])
}

fn run(command: &mut Command) -> Outcome<Duration> {
    let started = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    let took = started.elapsed();
    if status.success() {
        Ok(took)
    } else {
        Err(format!("{command:?} ended with {status}").into())
    }
}
