//! `grep` in this process, one instance and several, against ripgrep on one thread and on all.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::calls::Caller;
use crate::report::{Row, Target};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

/// What is searched for: a literal prefix, a class, a literal and an assertion.
pub(crate) const PATTERN: &str = r"fn \w+_async\b";
/// Room for all matches, so that no side stops early.
pub(crate) const MAX_BYTES: i64 = 16 << 20;
const ROUNDS: usize = 9;

pub(crate) fn measure(shared: &Shared) -> Outcome<Vec<Row>> {
    let tree = shared.tree()?;
    let alone = Caller::alone(tree.path(), "grep", MAX_BYTES)?;
    let several = Caller::new(tree.path(), "grep", MAX_BYTES)?;
    let mut samples = [const { Vec::new() }; 4];
    let mut matches = 0;
    // The first round warms the caches of all and does not count.
    for round in 0..=ROUNDS {
        let runs = [
            searched(&alone)?,
            ripgrep(tree.path(), &["-j1", "-uuu"])?,
            searched(&several)?,
            ripgrep(tree.path(), &["-uuu"])?,
        ];
        matches = runs[0].0;
        if let Some((other, _)) = runs.iter().find(|(found, _)| *found != matches) {
            return Err(format!("grep found {matches} lines, another {other}; they do not do the same work").into());
        }
        for (samples, (_, took)) in samples.iter_mut().zip(runs) {
            if round > 0 {
                samples.push(took);
            }
        }
    }
    let [alone, single, several, parallel] = samples.map(Samples::new);
    let one = ratio(alone.best(), single.best());
    let all = ratio(several.median(), parallel.median());
    Ok(vec![
        Row::new(
            format!("grep, {matches} matches, one instance; peer rg -j1 -uuu"),
            alone.best_and_median(),
        )
        .peer(single.best_and_median(), one)
        .target(one, Target::AtMost(1.0, 1.15, "×")),
        Row::new(
            "grep, the same in several instances; peer rg -uuu, all cores",
            several.best_and_median(),
        )
        .peer(parallel.best_and_median(), all)
        .target(all, Target::AtMost(1.0, 1.3, "× of medians")),
    ])
}

/// One search with the tool: matches and time.
pub(crate) fn searched(caller: &Caller) -> Outcome<(usize, Duration)> {
    let (value, took) = caller.timed("grep", &json!({"pattern": PATTERN}))?;
    if value.contains_key("truncated") {
        return Err("grep stopped early; the measurement needs all matches".into());
    }
    Ok((value["matches"].as_array().map_or(0, Vec::len), took))
}

fn ripgrep(tree: &Path, options: &[&str]) -> Outcome<(usize, Duration)> {
    let started = Instant::now();
    let output = Command::new("rg")
        .args(options)
        .args(["-n", PATTERN])
        .current_dir(tree)
        .output()?;
    let took = started.elapsed();
    if !output.status.success() {
        return Err(format!("rg failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok((output.stdout.iter().filter(|byte| **byte == b'\n').count(), took))
}
