//! What the gate takes for one decision under 200 rules, and the rules alone against the same globs in `globset`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSetBuilder};
use serde_json::json;
use toolgate::gate::{Outcome as Decided, Policy, Request, Ruling};
use toolgate::{Config, Host, SessionOptions};

use crate::report::Row;
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

const ROUNDS: usize = 2_000;

/// 100 rules to allow and 100 to deny, as they are written: names, prefixes, globs; of files and of commands.
fn rules() -> (Vec<String>, Vec<String>) {
    let shapes = |number: usize| {
        [
            format!("write_file:src/module_{number}/*"),
            format!("edit_file:**/*_{number}.rs"),
            format!("bash:make target-{number}"),
            format!("fetch_url:host{number}.example/*"),
        ]
    };
    let all = |from: usize| (from..from + 25).flat_map(shapes).collect();
    (all(0), all(25))
}

/// The time of one of what `ask` does many of.
fn each(mut ask: impl FnMut()) -> Samples {
    const BATCH: u32 = 50;
    let mut rounds: Vec<Duration> = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        (0..BATCH).for_each(|_| ask());
        rounds.push(started.elapsed() / BATCH);
    }
    Samples::new(rounds)
}

fn host(root: &std::path::Path, rules: Option<(Vec<String>, Vec<String>)>) -> Outcome<Host> {
    let mut config = Config::default();
    (config.permissions.allow, config.permissions.deny) = rules.unwrap_or_default();
    Ok(toolgate_tests::rig::builder(root).config(config).build()?)
}

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let root = tempfile::tempdir()?;
    let project = root.path().canonicalize()?.display().to_string();
    let (allow, deny) = rules();
    let policy = Policy::parse(&allow, &deny, &project)?;
    let key = format!("{project}/src/other/file.rs");

    let mut set = GlobSetBuilder::new();
    for rule in allow.iter().chain(&deny) {
        let (_, glob) = rule.split_once(':').unwrap_or(("", rule));
        set.add(GlobBuilder::new(glob).build()?);
    }
    let set = set.build()?;

    let rules = each(|| {
        let unmatched = matches!(policy.rule("write_file", black_box(&key)), Ruling::Unmatched);
        assert!(unmatched, "a rule matched that must not");
    });
    let theirs = each(|| {
        black_box(set.is_match(black_box(&key)));
    });

    let with = host(root.path(), Some((allow, deny)))?;
    let without = host(root.path(), None)?;
    let decide = |host: &Host| -> Outcome<Samples> {
        let session = host.session(SessionOptions::default());
        let arguments = json!({"path": key, "content": ""});
        session.explain("write_file", arguments.clone())?;
        Ok(each(|| {
            black_box(session.explain("write_file", black_box(arguments.clone())).is_ok());
        }))
    };
    let (ruled, bare) = (decide(&with)?, decide(&without)?);
    let session = with.session(SessionOptions::default());
    let command = each(|| {
        let explained = session.explain_request(&Request::Command(black_box("git log --oneline | head")));
        assert_eq!(explained.outcome, Decided::Ask);
    });
    Ok(vec![
        Row::new("200 rules against one key; peer globset", rules.p50_and_p99())
            .peer(theirs.p50_and_p99(), ratio(rules.median(), theirs.median())),
        Row::new(
            "decision of a write, explained, under 200 rules; peer the same without rules",
            ruled.p50_and_p99(),
        )
        .peer(bare.p50_and_p99(), ratio(ruled.median(), bare.median())),
        Row::new("decision of a shell command under 200 rules", command.p50_and_p99()),
    ])
}
