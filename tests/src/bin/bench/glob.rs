//! Finding files by name, against ripgrep's list of files and fd.

use serde_json::json;

use crate::calls::Caller;
use crate::report::Row;
use crate::timing::{Samples, ratio};
use crate::tree::Tree;
use crate::{Outcome, Shared, peers};

const ROUNDS: usize = 15;
/// Room for the paths of all files.
const MAX_BYTES: i64 = 64 << 20;

pub(crate) fn measure(shared: &Shared) -> Outcome<Vec<Row>> {
    let tree = shared.tree()?;
    let caller = Caller::new(tree.path(), "glob", MAX_BYTES)?;
    let mut rows = Vec::new();
    for pattern in ["*", "*_1*"] {
        let arguments = ["--files", "-uuu", "-g", pattern, "./"];
        rows.push(case(&caller, tree, pattern, "rg", &arguments)?);
        // Debian has another program of the name `fd`.
        if let Some(fd) = peers::installed(&["fdfind", "fd"]) {
            let arguments = ["-uuu", "--type", "f", "--glob", pattern, "./"];
            rows.push(case(&caller, tree, pattern, fd, &arguments)?);
        }
    }
    Ok(rows)
}

fn case(caller: &Caller, tree: &Tree, pattern: &str, program: &str, arguments: &[&str]) -> Outcome<Row> {
    let (mut ours, mut peer) = (Vec::new(), Vec::new());
    let mut total = 0;
    // The first round warms the caches of both and does not count.
    for round in 0..=ROUNDS {
        let (value, took) = caller.timed("glob", &json!({"pattern": pattern}))?;
        let (output, peer_took) = peers::run(program, arguments, tree.path())?;
        let (found, expected) = (value["paths"].as_array().map_or(0, Vec::len), peers::lines(&output));
        if found != expected {
            return Err(format!("glob {pattern} found {found} files, {program} {expected}").into());
        }
        total = found;
        if round > 0 {
            ours.push(took);
            peer.push(peer_took);
        }
    }
    let (ours, peer) = (Samples::new(ours), Samples::new(peer));
    let shown = arguments[..arguments.len() - 1].join(" ");
    Ok(Row::new(
        format!("glob {pattern}, {total} files; peer {program} {shown}"),
        ours.best_and_median(),
    )
    .peer(peer.best_and_median(), ratio(ours.median(), peer.median())))
}
