//! The cheapest tool through the whole pipeline: what a call costs at least.

use std::time::Instant;

use serde_json::json;
use tokio::runtime::Builder;
use toolgate::Call;

use crate::calls::Caller;
use crate::report::{Row, Target};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

const ROUNDS: usize = 30_000;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("src/file.txt");
    std::fs::create_dir(directory.path().join("src"))?;
    std::fs::write(&file, "text\n")?;
    let caller = Caller::new(directory.path(), "stat", 0)?;
    let arguments = json!({"path": "src/file.txt"});
    let blocking = caller.samples(ROUNDS, "stat", &arguments)?;
    let metadata = Samples::of(ROUNDS, || {
        let _ = std::hint::black_box(std::fs::metadata(&file));
    });
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut durations = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let call = Call::new("stat", arguments.clone());
        let started = Instant::now();
        runtime.block_on(caller.session.call(call))?;
        durations.push(started.elapsed());
    }
    let apart = Samples::new(durations);
    let hop = hop()?;
    let unrecorded = Caller::unrecorded(directory.path(), "stat", 0)?;
    let (with, without) = in_turns(&caller, &unrecorded, &arguments)?;
    let figure = blocking.median().as_secs_f64() * 1e6;
    Ok(vec![
        Row::new(
            "stat, whole pipeline, on the caller's thread; peer std::fs::metadata",
            blocking.p50_and_p99(),
        )
        .peer(metadata.p50_and_p99(), ratio(blocking.median(), metadata.median()))
        .target(figure, Target::AtMost(30.0, 60.0, " µs p50")),
        Row::new(
            "the same, on the sandbox's threads; peer: an empty task on other threads",
            apart.p50_and_p99(),
        )
        .peer(hop.p50_and_p99(), ratio(apart.median(), hop.median())),
        Row::new(
            "stat on the caller's thread, recorded in the audit log; peer: audit.enabled = false",
            with.p50_and_p99(),
        )
        .peer(without.p50_and_p99(), ratio(with.median(), without.median())),
    ])
}

/// Calls of two hosts in turns, so that both meet the same machine.
fn in_turns(one: &Caller, other: &Caller, arguments: &serde_json::Value) -> Outcome<(Samples, Samples)> {
    const TURN: usize = 500;
    let (mut ones, mut others) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS / TURN {
        for (caller, durations) in [(one, &mut ones), (other, &mut others)] {
            for _ in 0..TURN {
                durations.push(caller.timed("stat", arguments)?.1);
            }
        }
    }
    Ok((Samples::new(ones), Samples::new(others)))
}

/// What it costs to wake a thread of another runtime and to be woken by it.
fn hop() -> Outcome<Samples> {
    let here = Builder::new_current_thread().enable_all().build()?;
    let there = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut durations = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        here.block_on(there.spawn(async {}))?;
        durations.push(started.elapsed());
    }
    Ok(Samples::new(durations))
}
