//! The outline of a long file, against ctags or, without it, against reading the file.

use std::path::Path;

use serde_json::json;

use crate::calls::Caller;
use crate::report::Row;
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared, peers};

const LINES: usize = 10_000;
const ROUNDS: usize = 20;
const MAX_BYTES: i64 = 4 << 20;

pub(crate) fn measure(_: &Shared) -> Outcome<Vec<Row>> {
    let directory = tempfile::tempdir()?;
    let caller = Caller::new(directory.path(), "view_file_outline", MAX_BYTES)?;
    [("Go", "file.go", go()), ("Rust", "file.rs", rust())]
        .into_iter()
        .map(|(language, name, text)| case(&caller, directory.path(), language, name, &text))
        .collect()
}

fn case(caller: &Caller, directory: &Path, language: &str, name: &str, text: &str) -> Outcome<Row> {
    let file = directory.join(name);
    std::fs::write(&file, text)?;
    let arguments = json!({"path": name});
    let answer = caller.call("view_file_outline", arguments.clone())?;
    let outline = answer["outline"].as_str().unwrap_or_default();
    // Of each 10 lines, two declare something that every outline shows.
    if answer.contains_key("truncated") || outline.lines().count() < LINES / 5 {
        return Err(format!("the outline of {name} is not whole; the figure would mean nothing").into());
    }
    let ours = caller.samples(ROUNDS, "view_file_outline", &arguments)?;
    let (peer, samples) = match peers::installed(&["ctags-universal", "ctags"]) {
        Some(ctags) => {
            let runs = (0..ROUNDS).map(|_| Ok(peers::run(ctags, &["-f", "-", name], directory)?.1));
            (
                "universal-ctags, a process",
                Samples::new(runs.collect::<Outcome<_>>()?),
            )
        }
        None => (
            "std::fs::read",
            Samples::of(ROUNDS, || {
                let _ = std::hint::black_box(std::fs::read(&file));
            }),
        ),
    };
    Ok(Row::new(
        format!("view_file_outline, {language}, {LINES} lines; peer {peer}"),
        ours.p50_and_p99(),
    )
    .peer(samples.p50_and_p99(), ratio(ours.median(), samples.median())))
}

/// So many lines, ten for each number.
fn repeated(head: &str, block: impl Fn(usize) -> String) -> String {
    let blocks = (0..LINES / 10).map(block);
    std::iter::once(head.to_owned()).chain(blocks).collect()
}

fn go() -> String {
    repeated("package file\n\n", |number| {
        format!(
            "// Item{number} is one of many.\ntype Item{number} struct {{\n\tName string\n\tSize int\n}}\n\n\
             func (item *Item{number}) Measure(factor int) (int, error) {{\n\treturn item.Size * factor, nil\n}}\n\n"
        )
    })
}

fn rust() -> String {
    repeated("//! Many items.\n\n", |number| {
        format!(
            "/// One of many.\npub struct Item{number} {{\n    name: String,\n    size: usize,\n}}\n\n\
             pub fn measure_{number}(item: &Item{number}, factor: usize) -> Result<usize, String> {{\n    \
             Ok(item.size * factor + item.name.len())\n}}\n\n"
        )
    })
}
