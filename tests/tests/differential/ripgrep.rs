//! What ripgrep finds, in the terms of `grep`.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Command;

use crate::trees::SKIPPED;

/// A matching line: path relative to the tree, number, text without terminator.
pub(crate) type Line = (String, u64, String);

/// A file with a NUL in so many bytes is binary.
const HEAD: usize = 8 << 10;

/// All matching lines, in the order of a walk.
pub(crate) fn search(tree: &Path, pattern: &str) -> Vec<Line> {
    let mut command = Command::new("rg");
    command.args([
        "-uuu",
        "--no-config",
        "--no-messages",
        "--no-heading",
        "-H",
        "-n",
        "--null",
    ]);
    command.args(["--color=never", "--text", "--encoding=none"]);
    for skipped in SKIPPED {
        command.arg("--glob").arg(format!("!{skipped}/"));
    }
    let output = command
        .args(["--regexp", pattern, "--", "./"])
        .current_dir(tree)
        .output()
        .expect("ripgrep (rg) is installed");
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "rg {pattern}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut binary = HashMap::new();
    let mut lines: Vec<Line> = output
        .stdout
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(parse)
        .filter(|(path, ..)| {
            !*binary
                .entry(path.clone())
                .or_insert_with(|| is_binary(&tree.join(path)))
        })
        .collect();
    lines.sort_by_cached_key(|(path, line, _)| (walk_key(path), *line));
    lines
}

/// `./path NUL number : text`. None if the path is not UTF-8: tools cannot speak of such files.
fn parse(line: &[u8]) -> Option<Line> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let end = line.iter().position(|byte| *byte == 0).unwrap();
    let colon = end + line[end..].iter().position(|byte| *byte == b':').unwrap();
    let path = std::str::from_utf8(&line[..end]).ok()?.strip_prefix("./").unwrap();
    let number = std::str::from_utf8(&line[end + 1..colon]).unwrap();
    let text = &line[colon + 1..];
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    Some((
        path.to_owned(),
        number.parse().unwrap(),
        String::from_utf8_lossy(text).into_owned(),
    ))
}

fn is_binary(path: &Path) -> bool {
    let mut head = Vec::new();
    File::open(path)
        .unwrap()
        .take(HEAD as u64)
        .read_to_end(&mut head)
        .unwrap();
    head.contains(&0)
}

/// Sorts as a walk does: a directory stands where its name does.
pub(crate) fn walk_key(path: &str) -> Vec<Vec<u8>> {
    path.split('/').map(|name| name.as_bytes().to_vec()).collect()
}
