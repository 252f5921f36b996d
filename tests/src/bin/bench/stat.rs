//! The cheapest tool through the whole pipeline: what a call costs at least.

use serde_json::json;

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
    let ours = caller.samples(ROUNDS, "stat", &json!({"path": "src/file.txt"}))?;
    let peer = Samples::of(ROUNDS, || {
        let _ = std::hint::black_box(std::fs::metadata(&file));
    });
    let figure = ours.median().as_secs_f64() * 1e6;
    Ok(vec![
        Row::new("stat through the whole pipeline; peer std::fs::metadata", ours.p50_and_p99())
            .peer(peer.p50_and_p99(), ratio(ours.median(), peer.median()))
            .target(figure, Target::AtMost(30.0, 60.0, " µs p50")),
    ])
}
