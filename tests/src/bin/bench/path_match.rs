//! What the policy costs for one path: 100 deny globs against the same globs in `globset`, and the mandatory denies.

use std::hint::black_box;
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toolgate::scope::PathScope;

use crate::report::Row;
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

const ROUNDS: usize = 200;

/// Names, endings and directories, as deny lists have them; none is of a mandatory class.
fn patterns() -> Vec<String> {
    let shapes = (0..25).flat_map(|number| {
        [
            format!("**/*.secret{number}"),
            format!("**/private_{number}"),
            format!("**/vault{number}/*.json"),
            format!("**/[a-f]?{number}*.{{bak,tmp}}"),
        ]
    });
    shapes.collect()
}

/// Paths of a source tree; one in fifty is denied.
fn paths() -> Vec<String> {
    let path = |number: usize| match number % 50 {
        0 => format!("crates/core{number}/src/key.secret{}", number % 25),
        rest => format!("crates/core{rest}/src/module_{}/file_{number}.rs", number % 7),
    };
    (0..1_000).map(path).collect()
}

/// The time that one of the paths takes.
fn each(paths: &[String], mut ask: impl FnMut(&str) -> bool) -> Samples {
    let count = u32::try_from(paths.len()).unwrap_or(u32::MAX);
    let mut rounds: Vec<Duration> = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for path in paths {
            black_box(ask(black_box(path)));
        }
        rounds.push(started.elapsed() / count);
    }
    Samples::new(rounds)
}

fn peer(patterns: &[String]) -> Outcome<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    Ok(set.build()?)
}

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let root = tempfile::tempdir()?;
    let root = root.path().display().to_string();
    let (patterns, paths) = (patterns(), paths());
    let scope = PathScope::builder(root.clone()).deny(patterns.clone()).build()?;
    let set = peer(&patterns)?;
    for path in &paths {
        let (ours, theirs) = (scope.denied(0, path).is_some(), set.is_match(path));
        if ours != theirs {
            return Err(format!("{path}: denied {ours}, globset says {theirs}").into());
        }
    }
    let ours = each(&paths, |path| scope.denied(0, path).is_some());
    let theirs = each(&paths, |path| set.is_match(path));
    let bare = PathScope::builder(root).build()?;
    let mandatory = each(&paths, |path| bare.mandatory_at(0, path, true).is_some());
    Ok(vec![
        Row::new(
            format!("path match, {} deny globs, for each path; peer globset", patterns.len()),
            ours.best_and_median(),
        )
        .peer(theirs.best_and_median(), ratio(ours.median(), theirs.median())),
        Row::new("the mandatory denies, for each path", mandatory.best_and_median()),
    ])
}
