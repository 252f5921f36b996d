//! A thousand small files in one call.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::calls::Caller;
use crate::report::Row;
use crate::text::{Random, source};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared};

const FILES: usize = 1_000;
/// Greatest size of a file in bytes; the least is 200.
const LARGEST: usize = 8 << 10;
const ROUNDS: usize = 30;
/// Room for all of them with their escapes.
const MAX_BYTES: i64 = 64 << 20;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    let mut random = Random::new(3);
    let mut files: Vec<PathBuf> = Vec::with_capacity(FILES);
    let mut bytes = 0;
    for number in 0..FILES {
        let size = 200 + random.below(LARGEST - 200);
        let text = source(&mut random, size);
        let folder = directory.path().join(format!("folder_{}", number % 40));
        std::fs::create_dir_all(&folder)?;
        files.push(folder.join(format!("file_{number}.rs")));
        std::fs::write(&files[number], &text)?;
        bytes += text.len();
    }
    let caller = Caller::new(directory.path(), "read_many_files", MAX_BYTES)?;
    let listed: Vec<&str> = files.iter().filter_map(|file| file.to_str()).collect();
    let peer = Samples::of(ROUNDS, || {
        for file in &files {
            let _ = std::hint::black_box(std::fs::read_to_string(file));
        }
    });
    let mut rows = Vec::new();
    for (name, arguments) in [
        ("by pattern", json!({"pattern": "*.rs"})),
        ("listed", json!({"paths": listed})),
    ] {
        let answer = caller.call("read_many_files", arguments.clone())?;
        let read: usize = answer["files"]
            .as_array()
            .map_or(0, |files| files.iter().map(length).sum());
        if read != bytes {
            return Err(format!("read_many_files gave {read} of {bytes} bytes; the figure would mean nothing").into());
        }
        let ours = caller.samples(ROUNDS, "read_many_files", &arguments)?;
        let kb = bytes / 1000;
        rows.push(
            Row::new(
                format!("read_many_files, {FILES} files {name}, {kb} kB; peer std::fs::read_to_string"),
                ours.p50_and_p99(),
            )
            .peer(peer.p50_and_p99(), ratio(ours.median(), peer.median())),
        );
    }
    Ok(rows)
}

fn length(entry: &Value) -> usize {
    entry["content"].as_str().map_or(0, str::len)
}
