//! Queries over a large document, against jq and, where it is installed, jaq.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate::Call;

use crate::calls::Caller;
use crate::report::Row;
use crate::text::{Random, source};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared, peers};

/// Bytes of the document.
const SIZE: usize = 50_000_000;
const ROUNDS: usize = 5;
const MAX_BYTES: i64 = 1 << 20;
/// Above the tool's own budget, which a busy machine could exceed.
const DEADLINE: Duration = Duration::from_secs(60);

/// One number about all items, and some of the items made into others.
const QUERIES: [&str; 2] = [
    ".items | length",
    "[.items[] | select(.value > 990) | {id, name, first: .tags[0]}]",
];

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("document.json"), document())?;
    let caller = Caller::new(directory.path(), "json_query", MAX_BYTES)?;
    let programs = ["jq", "jaq"].iter().filter_map(|name| peers::installed(&[name]));
    let mut rows = Vec::new();
    for program in programs {
        for query in QUERIES {
            rows.push(case(&caller, directory.path(), program, query)?);
        }
    }
    if rows.is_empty() {
        return Err("jq is not installed".into());
    }
    Ok(rows)
}

fn case(caller: &Caller, directory: &Path, program: &str, query: &str) -> Outcome<Row> {
    let (mut ours, mut peer) = (Vec::new(), Vec::new());
    // The first round warms the caches of both and does not count.
    for round in 0..=ROUNDS {
        let call = Call::new("json_query", json!({"query": query, "path": "document.json"})).deadline(DEADLINE);
        let started = Instant::now();
        let value = caller.session.call_blocking(call)?.value;
        let took = started.elapsed();
        let (output, peer_took) = peers::run(program, &["-c", query, "document.json"], directory)?;
        let expected: Value = serde_json::from_slice(&output)?;
        if value.contains_key("truncated") || value["results"] != json!([expected]) {
            return Err(format!("json_query {query} differs from {program}; the figure would mean nothing").into());
        }
        if round > 0 {
            ours.push(took);
            peer.push(peer_took);
        }
    }
    let (ours, peer) = (Samples::new(ours), Samples::new(peer));
    Ok(Row::new(
        format!("json_query {query}, {} MB; peer {program} -c", SIZE / 1_000_000),
        ours.best_and_median(),
    )
    .peer(peer.best_and_median(), ratio(ours.median(), peer.median())))
}

/// `{"items": […]}` with members of every kind.
fn document() -> String {
    let mut random = Random::new(4);
    let text = source(&mut random, 1 << 20);
    let lines: Vec<&str> = text.lines().filter(|line| line.len() > 8).collect();
    let mut document = String::with_capacity(SIZE + 1024);
    document.push_str("{\"items\":[");
    for id in 0.. {
        let (name, note) = (lines[random.below(lines.len())], lines[random.below(lines.len())]);
        let (value, share) = (random.below(1000), random.unit());
        let item = json!({
            "id": id,
            "name": name.trim(),
            "value": value,
            "share": share,
            "tags": [note.trim(), value % 7, value % 2 == 0, null],
            "status": {"phase": if value < 500 { "Running" } else { "Pending" }, "restarts": value / 100},
        });
        let _ = write!(document, "{item}");
        if document.len() >= SIZE {
            break;
        }
        document.push(',');
    }
    document.push_str("]}\n");
    document
}
