//! One instance of `grep` in this process against ripgrep on one thread.

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
    let caller = Caller::new(tree.path(), "grep", MAX_BYTES)?;
    let (mut ours, mut single, mut parallel) = (Vec::new(), Vec::new(), Vec::new());
    let mut matches = 0;
    // The first round warms the caches of all three and does not count.
    for round in 0..=ROUNDS {
        let (found, took) = searched(&caller)?;
        let (expected, single_took) = ripgrep(tree.path(), &["-j1", "-uuu"])?;
        let (_, parallel_took) = ripgrep(tree.path(), &["-uuu"])?;
        if found != expected {
            return Err(format!("grep found {found} lines, ripgrep {expected}; they do not do the same work").into());
        }
        matches = found;
        if round > 0 {
            ours.push(took);
            single.push(single_took);
            parallel.push(parallel_took);
        }
    }
    let [ours, single, parallel] = [ours, single, parallel].map(Samples::new);
    let figure = ratio(ours.best(), single.best());
    Ok(vec![
        Row::new(
            format!("grep, {matches} matches, one thread; peer rg -j1 -uuu"),
            ours.best_and_median(),
        )
        .peer(single.best_and_median(), figure)
        .target(figure, Target::AtMost(1.0, 1.15, "×")),
        Row::new("the same; peer rg -uuu, all cores", ours.best_and_median())
            .peer(parallel.best_and_median(), ratio(ours.best(), parallel.best())),
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
