//! Measurements: each figure against a peer in the same run, where there is one.
//! Run by `make bench`; names of measurements as arguments choose among them.
//! It must not touch: anything but temporary directories, and caches of its own below `target/`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod calls;
mod client;
mod cold;
mod concurrency;
mod decision;
mod fetch;
mod glob;
mod grep;
mod json_query;
mod machine;
mod mcp;
mod memory;
mod outline;
mod path_match;
mod peers;
mod places;
mod read_file;
mod read_many_files;
mod report;
mod size;
mod stat;
mod stock;
mod text;
mod timing;
mod tree;

use std::process::ExitCode;

use report::Row;
use tree::Tree;

/// What can go wrong is reported as text; nothing here can recover from it.
type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What measurements share: made when the first of them needs it.
#[derive(Default)]
struct Shared {
    tree: std::cell::OnceCell<Tree>,
}

impl Shared {
    /// The tree to search, with warm caches.
    fn tree(&self) -> Outcome<&Tree> {
        if self.tree.get().is_none() {
            let tree = Tree::make()?;
            println!("tree:     {}\n", tree.description());
            let _ = self.tree.set(tree);
        }
        self.tree.get().ok_or_else(|| "the tree was not made".into())
    }
}

type Measurement = fn(&Shared) -> Outcome<Vec<Row>>;

const MEASUREMENTS: &[(&str, Measurement)] = &[
    ("grep", grep::measure),
    ("glob", glob::measure),
    ("stock", stock::measure),
    ("stat", stat::measure),
    ("read_file", read_file::measure),
    ("read_many_files", read_many_files::measure),
    ("json_query", json_query::measure),
    ("outline", outline::measure),
    ("decision", decision::measure),
    ("path_match", path_match::measure),
    ("fetch", fetch::measure),
    ("cold", cold::measure),
    ("mcp", mcp::measure),
    ("concurrency", concurrency::measure),
    ("memory", memory::measure),
    ("size", size::measure),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted
        .iter()
        .find(|name| MEASUREMENTS.iter().all(|(known, _)| known != name))
    {
        let known: Vec<&str> = MEASUREMENTS.iter().map(|(name, _)| *name).collect();
        eprintln!("unknown measurement {unknown:?}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    machine::print();
    let shared = Shared::default();
    let mut rows = Vec::new();
    let mut failed = false;
    for (name, measure) in MEASUREMENTS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        eprintln!("measuring {name} …");
        match measure(&shared) {
            Ok(more) => rows.extend(more),
            Err(error) => {
                eprintln!("{name}: {error}");
                failed = true;
            }
        }
    }
    report::print(&rows);
    if failed || rows.iter().any(Row::is_over) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
