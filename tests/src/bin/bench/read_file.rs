//! Reading a small and a large file.

use std::path::Path;

use serde_json::json;

use crate::calls::Caller;
use crate::report::Row;
use crate::text::{Random, source};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

/// Name, size in bytes, calls.
const CASES: &[(&str, usize, usize)] = &[("4 KiB", 4 << 10, 10_000), ("10 MiB", 10 << 20, 20)];
/// Room for the largest file with its escapes.
const MAX_BYTES: i64 = 64 << 20;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    let caller = Caller::new(directory.path(), "read_file", MAX_BYTES)?;
    CASES
        .iter()
        .map(|(name, size, rounds)| case(&caller, directory.path(), name, *size, *rounds))
        .collect()
}

fn case(caller: &Caller, directory: &Path, name: &str, size: usize, rounds: usize) -> Outcome<Row> {
    let mut text = source(&mut Random::new(2), size);
    text.truncate(text.floor_char_boundary(size));
    let file = directory.join("file.rs");
    std::fs::write(&file, &text)?;
    let arguments = json!({"path": "file.rs"});
    let answer = caller.call("read_file", arguments.clone())?;
    if answer["content"] != *text {
        return Err(format!("read_file of {name} does not give the whole file; the figure would mean nothing").into());
    }
    let ours = caller.samples(rounds, "read_file", &arguments)?;
    let peer = Samples::of(rounds, || {
        let _ = std::hint::black_box(std::fs::read(&file));
    });
    Ok(
        Row::new(format!("read_file, {name}; peer std::fs::read"), ours.p50_and_p99())
            .peer(peer.p50_and_p99(), ratio(ours.median(), peer.median())),
    )
}
